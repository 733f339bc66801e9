#!/bin/sh
# names.sh - names of files that are no text: whatever they hold, what is
# printed is UTF-8 without control characters.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "$top_srcdir/tests/cli/small.sh"
name=$(printf 'a\033[31m\nb\377\303.json')
# what it is called in messages and in JSON
said=$(printf 'a\\u001b[31m\\nb\357\277\275\357\277\275.json')
mkdir "$work/d" "$work/other" || exit 99
cp "$work/small.json" "$work/d/$name" 2>/dev/null ||
    skip 'the file system has no such names'
cd "$work/d" || exit 99
case $T2T in
/*) ;;
*) T2T=$OLDPWD/$T2T ;;
esac

# clean: both streams are lines of UTF-8
clean() {
    for stream in out err; do
        check "$stream is UTF-8" iconv -f UTF-8 -t UTF-8 "$work/$stream"
        # shellcheck disable=SC2016 # for the sh that runs it
        check "$stream has no control characters" \
            sh -c '! tr -d "\n" <"$1" | grep -q "[[:cntrl:]]"' - \
            "$work/$stream"
    done
}

# says WHAT ARGUMENT...: t2t prints that line on standard error, and no other
says() {
    line=$1
    shift
    "$T2T" "$@" >"$work/out" 2>"$work/err"
    status=$?
    what="$1: $line"
    clean
    expect_line err "t2t: $line"
    check 'it is one line' test "$(wc -l <"$work/err")" = 1
}

says "$said: building its index $said.t2t" tree "$name"
touch -d '2001-02-03' "$name"
says "$said.t2t: is of another state of the trace; building it again" \
    tree "$name"
says "$said.t2t: is there and fits its trace (--force builds it again)" \
    build "$name"
head -c 500 "$work/small.json.t2t" >"$name.t2t"
says "$said.t2t: index-damage: file of 500 bytes, its header says $(
    wc -c <"$work/small.json.t2t"
); building it again" tree "$name"
head -c 500 "$work/small.json.t2t" >"$name.t2t"
says "$said.t2t: index-damage: file of 500 bytes, its header says $(
    wc -c <"$work/small.json.t2t"
) (at byte 16); 't2t build --force $said' makes it again" tree "$name.t2t"
echo precious >"$name.t2t"
says "$said: building a private index, not $said.t2t: what is there is no index" \
    tree "$name"
says "$said.t2t is there and is no index (--force: write over it); see 't2t help build'" \
    build "$name"
says "../other/$said: io: cannot open the file: No such file or directory" \
    tree "../other/$name"
says "no command '$said'; see 't2t help'" "$name"

describe 'the line of a build'
"$T2T" build --force -v "$name" >"$work/out" 2>"$work/err"
status=$?
expect_status 0
clean
expect_match err "^t2t: $(printf '%s' "$said" | sed 's/[][\\]/\\&/g')\.t2t: 9 events, "

for file in "$name" "$name.t2t" "$work/small.json"; do
    for words in 'check --format json' check 'check --format json --all'; do
        # shellcheck disable=SC2086 # words
        run t2t $words "$file"
        clean
    done
done
run t2t check --format json "$name.t2t"
expect_status 0
expect_match out "^\\{\"file\":\"$(printf '%s' "$said" | sed 's/[][\\]/\\&/g')\\.t2t\","
for format in text json; do
    run t2t info --format $format "$name.t2t"
    expect_status 0
    clean
    printf '%s' "$said" >"$work/said"
    check 'the name of the source is there' grep -Fq -f "$work/said" "$work/out"
    run t2t timeline --format $format "$name.t2t"
    expect_status 0
    clean
done

describe 'options that are no text'
for word in -é "-$(printf '\303')" "-a$(printf '\377')" "--$(printf '\377')"; do
    "$T2T" tree "$word" "$name.t2t" >"$work/out" 2>"$work/err"
    status=$?
    expect_status 2
    clean
done
run t2t tree -é "$name.t2t"
expect_text err <<'END'
t2t: no option '-é'; see 't2t help tree'
END
finish
