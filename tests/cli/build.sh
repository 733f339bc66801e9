#!/bin/sh
# build.sh - where an index goes, and when one is left alone.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "$top_srcdir/tests/cli/small.sh"
rm "$work/small.json.t2t"

run t2t build "$work/small.json"
expect_status 0
expect_empty out
expect_match err '^t2t: .*small\.json\.t2t: 9 events, 6 in the tree, 2 on GPUs \(1 with a launch\); odd: not-an-object 1, .*; [0-9.]+ [mu]?s$'
expect_file "$work/small.json.t2t"

cp "$work/small.json.t2t" "$work/first"
run t2t build "$work/small.json"
expect_status 0
expect_line err "t2t: $work/small.json.t2t: is there and fits its trace (--force builds it again)"
run t2t build -q "$work/small.json"
expect_status 0
expect_empty err
run t2t build --force -v -j2 --chunk 1K "$work/small.json"
expect_status 0
expect_match err '^  trace file +1,087 bytes$'
expect_match err '^  reading and parsing '
check "the same index" cmp "$work/first" "$work/small.json.t2t"

describe 'a trace that has changed'
touch -d '2001-02-03' "$work/small.json"
run t2t build "$work/small.json"
expect_status 0
expect_match err '9 events'
run t2t tree "$work/small.json"
expect_status 0

run t2t build -q -o "$work/named" - <"$work/small.json"
expect_status 0
expect_file "$work/named"
run t2t info "$work/named"
expect_status 0
expect_match out '^trace +\(standard input\)$'
run t2t build -q -o "$work/named" "$work/small.json"
expect_status 0

run t2t build -o "$work/small.json" "$work/small.json"
expect_status 2
expect_match err 'would be written over'
echo precious >"$work/letter"
run t2t build -o "$work/letter" "$work/small.json"
expect_status 2
expect_match err 'is there and is no index'
check 'it is as it was' grep -qx precious "$work/letter"
run t2t build -q --force -o "$work/letter" "$work/small.json"
expect_status 0
run t2t info "$work/letter"
expect_status 0
mkfifo "$work/fifo"
ln -s letter "$work/link"
for there in fifo link; do
    run t2t build --force -o "$work/$there" "$work/small.json"
    expect_status 2
    expect_match err 'is there and is no plain file'
done
check 'the fifo is one still' test -p "$work/fifo"
check 'the link is one still' test -h "$work/link"
run t2t build -q "$work/small.json"
for reader in tree info timeline dump; do
    run t2t $reader -o "$work/small.json" "$work/small.json.t2t"
    expect_status 2
    expect_match err 'is the trace of the index'
done
run t2t build -q --force "$work/small.json"
expect_status 0

describe 'several traces, one of them bad'
cp "$work/small.json" "$work/a.json"
describe 'a trace that does not fit the memory'
"$AWK" 'BEGIN {
    print "["
    for (i = 0; i < 300000; i++)
        printf "%s{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"n%d\"," \
            "\"pid\":%d,\"tid\":%d,\"ts\":%d,\"dur\":%d," \
            "\"args\":{\"correlation\":%d}}\n", i ? "," : "",
            i % 2 ? "kernel" : "cuda_runtime", i % 1000, i % 2, i % 5,
            (i * 7919) % 1000000, i % 50, i / 2
    print "]"
}' >"$work/wide.json"
run t2t build -q -o "$work/wide.t2t" "$work/wide.json"
expect_status 0
run t2t build -q --memory 1K -o "$work/less.t2t" "$work/wide.json"
expect_status 0
check 'the index is the same' cmp "$work/wide.t2t" "$work/less.t2t"
check 'nothing else is left' test -z "$(find "$work" -name '.t2t.*')"
rm "$work/wide.json" "$work/wide.t2t" "$work/less.t2t"
run t2t build --memory much "$work/small.json"
expect_status 2

cp "$work/small.json" "$work/c.json"
echo '{"traceEvents":[}' >"$work/b.json"
run t2t build -q "$work/a.json" "$work/b.json" "$work/c.json"
expect_status 3
expect_match err '^t2t: .*b\.json: json-syntax: .* \(at byte 16\)$'
expect_file "$work/a.json.t2t"
expect_no_file "$work/b.json.t2t"
expect_file "$work/c.json.t2t"
check 'nothing else is left' test "$(find "$work" -name '*.t2t*' | wc -l)" = 3

run t2t build "$work/none.json"
expect_status 3
expect_match err '^t2t: .*none\.json: io: '
run t2t build -o "$work/no/folder/x" "$work/small.json"
expect_status 5
describe 'what appears while a build goes on'
mkfifo "$work/slow"
# appears COMMAND...: writes a file where the index goes once the build reads
appears() {
    "$T2T" build "$@" "$work/slow" >"$work/out" 2>"$work/err" &
    pid=$!
    {
        echo precious >"$work/late.t2t"
        cat "$work/small.json"
    } >"$work/slow"
    wait "$pid"
    status=$?
}
rm -f "$work/late.t2t"
appears -o "$work/late.t2t"
expect_status 2
expect_line err "t2t: $work/late.t2t: what has appeared there meanwhile is no index (--force: write over it); see 't2t help build'"
check 'it is as it was' grep -qx precious "$work/late.t2t"
rm "$work/late.t2t"
appears --force -o "$work/late.t2t"
expect_status 0
run t2t check "$work/late.t2t"
expect_status 0
rm "$work/late.t2t" "$work/slow"
finish
