#!/bin/sh
# completion.sh - what bash offers.
. "${top_srcdir:-.}/tests/cli/lib.sh"
need bash
script=$(cd "$top_srcdir" && pwd)/tools/completion/t2t
mkdir "$work/files" "$work/files/folder"
cd "$work/files" || exit 99
: >a.t2t
: >'b c.json'
: >d.json.gz
: >e.txt

# offered WORD...: what is offered for the last word, sorted.
offered() {
    describe complete "$@"
    # shellcheck disable=SC2016 # bash expands it
    bash --norc -c '
        source "$1" && shift
        COMP_WORDS=("$@")
        COMP_CWORD=$(($# - 1))
        _t2t
        printf "%s\n" "${COMPREPLY[@]}"' bash "$script" "$T2T" "$@" \
        2>"$work/err" | LC_ALL=C sort >"$work/out"
    status=$?
}

offered ''
expect_empty err
# shellcheck disable=SC2016 # sh expands it
check 'offers every command' sh -c '
    "$1" help | sed -n "s/^  \([a-z]*\) \{2,\}[^ ].*/\1/p" | LC_ALL=C sort |
        cmp - "$2"' sh "$T2T" "$work/out"
offered sho
expect_text out <<'END'
show
END
offered help js
expect_text out <<'END'
json
END
offered find --
expect_line out --regex
expect_line out --help
offered find --mo
expect_text out <<'END'
--module
END
offered build --ch
expect_no_match out chunk
offered find --sort ''
expect_text out <<'END'
dur
gpu
id
start
END
offered find --sort = d # as bash splits --sort=d
expect_text out <<'END'
dur
END
offered find --sort=d # and as one that does not split it
expect_text out <<'END'
--sort=dur
END
offered tree a.t2t --format=j
expect_text out <<'END'
--format=json
END
offered tree a.t2t --format = j
expect_text out <<'END'
json
END
offered tree a.t2t --output=j
expect_text out <<'END'

END
offered find --sort =
expect_line out start
offered find --layer = gpu a.t2t --time-unit u
expect_text out <<'END'
us
END
offered tree ''
expect_text out <<'END'
a.t2t
b c.json
d.json.gz
folder
END
offered check ''
expect_text out <<'END'
a.t2t
b c.json
d.json.gz
folder
END
offered tree -o e # readline completes these itself
expect_text out <<'END'

END
offered tree -o e.txt a
expect_text out <<'END'
a.t2t
END
offered find --between 1 2 d
expect_text out <<'END'
d.json.gz
END
offered find --between 1 a
expect_text out <<'END'

END
offered build d.json.gz ''
expect_text out <<'END'
b c.json
d.json.gz
folder
END
for words in 'tree a.t2t' 'tree --depth' 'version' 'nothing' 'show a.t2t 1'; do
    # shellcheck disable=SC2086 # words
    offered $words ''
    expect_text out <<'END'

END
done
cd / || exit 99
finish
