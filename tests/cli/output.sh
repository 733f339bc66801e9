#!/bin/sh
# output.sh - output into files, closed pipes and full disks.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "$top_srcdir/tests/cli/small.sh"
index=$work/small.json.t2t

for name in info tree find show stack dump timeline ops kernels modules links \
    collectives 'export --to trace'; do
    node=
    case $name in show | stack | find) node=1 ;; esac
    # shellcheck disable=SC2086 # no node is no argument
    run t2t $name "$index" $node
    expect_status 0
    cp "$work/out" "$work/expected"
    # shellcheck disable=SC2086
    run t2t $name "$index" $node -o "$work/file"
    expect_status 0
    expect_empty out
    check "-o has the same" cmp "$work/expected" "$work/file"
    # shellcheck disable=SC2086
    run t2t $name "$index" $node -o "$index"
    expect_status 2
    expect_line err "t2t: -o $index is the index itself; see 't2t help ${name%% *}'"
    # shellcheck disable=SC2086
    run t2t $name "$index" $node -o "$work/no/file"
    expect_status 5
    expect_match err '^t2t: .*no/file: io: cannot open it: '
done
run t2t info "$index"
expect_status 0

describe '-o and the trace'
mkdir "$work/o" "$work/o/else"
cp "$work/small.json" "$work/o/a.json"
"$T2T" build -q "$work/o/a.json"
cp "$work/o/a.json.t2t" "$work/o/copy.t2t"
touch -d '2001-02-03' "$work/o/a.json" # it has changed, and is itself still
ln -s a.json "$work/o/link"
# keeps ARGUMENT...: refuses, with what is said in $said
keeps() {
    run t2t "$@"
    expect_status 2
    expect_match err "^t2t: -o .* $said; see"
    check 'the trace is as it was' cmp "$work/small.json" "$work/o/a.json"
}
for name in info tree find dump 'export --to trace' check timeline ops kernels \
    modules links collectives; do
    said='is the trace of .*'
    node=
    [ "$name" = find ] && node=1
    for index_name in a.json.t2t copy.t2t; do
        for file in a.json else/../a.json link; do
            # shellcheck disable=SC2086 # words
            keeps $name "$work/o/$index_name" $node -o "$work/o/$file"
        done
    done
    said='is an index'
    # shellcheck disable=SC2086
    keeps $name "$index" $node -o "$work/o/copy.t2t"
done
head -c 500 "$index" >"$work/o/half.t2t"
keeps dump "$index" -o "$work/o/half.t2t"
keeps check "$work/o/a.json" -o "$work/o/a.json.t2t"
check 'the index is as it was' cmp "$work/o/copy.t2t" "$work/o/a.json.t2t"
said='would be written over'
keeps check "$work/o/a.json" -o "$work/o/a.json"
run t2t dump "$index" -o "$work/o/else/a.json"
expect_status 0
run t2t dump "$index" -o "$work/o/else/a.json"
expect_status 0

if [ -c /dev/full ]; then
    for words in 'help' 'version' "info $index" "tree $index" "dump $index" \
        "show $index 0" "find $index mm" "stack $index 3" "timeline $index" \
        "timeline --format json $index" "export --to trace $index"; do
        # shellcheck disable=SC2086 # words
        describe $words '>/dev/full'
        # shellcheck disable=SC2086
        "$T2T" $words >/dev/full 2>"$work/err"
        status=$?
        expect_status 5
        expect_text err <<'END'
t2t: standard output: no-space: cannot write: No space left on device
END
    done
    describe '-o /dev/full'
    run t2t dump "$index" -o /dev/full
    expect_status 5
    expect_line err 't2t: /dev/full: no-space: cannot write: No space left on device'
fi

describe 'a closed pipe'
yes '{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":1,"dur":1},' |
    head -n 50000 >"$work/events"
{
    echo '['
    cat "$work/events"
    echo '0]'
} >"$work/many.json"
"$T2T" build -q "$work/many.json" || exit 99
for name in dump tree 'tree --format json' 'export --to trace' \
    'find --layer operation' 'find --layer operation --format json'; do
    describe "$name into a closed pipe"
    # shellcheck disable=SC2086 # words
    {
        "$T2T" $name "$work/many.json" 2>"$work/err"
        echo $? >"$work/status"
    } | head -n 1 >"$work/out"
    status=$(cat "$work/status")
    expect_status 0
    expect_empty err
done
if [ -c /dev/full ]; then
    for words in dump tree 'tree --format json' 'export --to trace' \
        'find --layer operation' 'find --layer operation --format json'; do
        describe "$words, much of it, >/dev/full"
        # shellcheck disable=SC2086 # words
        "$T2T" $words "$work/many.json" >/dev/full 2>"$work/err"
        status=$?
        expect_status 5
        expect_text err <<'END'
t2t: standard output: no-space: cannot write: No space left on device
END
    done
fi

describe 'each line of messages is one write'
mkdir "$work/lines"
cp "$work/small.json" "$work/lines/a.json"
check 'lines of several commands do not mix' "$PYTHON" -B - "$T2T" "$work/lines/a.json" <<'END'
import socket, subprocess, sys
ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
ours.settimeout(0)
for words in (["build"], ["build"], ["info", "none"], ["ops", "--by", "x"]):
    subprocess.run([sys.argv[1], *words, sys.argv[2]], stderr=theirs)
    seen = ours.recv(65536)
    while seen:
        assert seen.endswith(b"\n") and seen.count(b"\n") == 1, seen
        try:
            seen = ours.recv(65536)
        except BlockingIOError:
            seen = None
END
finish
