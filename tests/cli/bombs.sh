#!/bin/sh
# bombs.sh - traces that are small until they are decompressed; --max-bytes.
. "${top_srcdir:-.}/tests/cli/lib.sh"
need gzip
need zstd
need "$PYTHON"
. "$top_srcdir/tests/cli/small.sh"
size=$(wc -c <"$work/small.json")
gzip -c "$work/small.json" >"$work/small.gz"
zstd -q -c "$work/small.json" >"$work/small.zst"
cp "$work/small.json" "$work/plain"

for name in plain small.gz small.zst; do
    run t2t build -q --max-bytes "$size" "$work/$name"
    expect_status 0
    rm -f "$work/$name.t2t"
    run t2t build -q --max-bytes $((size - 1)) "$work/$name"
    expect_status 3
    expect_text err <<END
t2t: $work/$name: limit: the text is longer than the $((size - 1)) bytes that were allowed (at byte $((size - 1)))
END
    expect_no_file "$work/$name.t2t"
    run t2t build -q --max-bytes $((size - 1)) --salvage "$work/$name"
    expect_status 3
    expect_no_file "$work/$name.t2t"
done
describe 'a pipe'
"$T2T" build -q --max-bytes $((size - 1)) -o "$work/x.t2t" - \
    <"$work/small.gz" 2>"$work/err"
status=$?
expect_status 3
expect_match err 'limit: '
for bytes in 0 0K 0.5; do
    run t2t build --max-bytes "$bytes" "$work/plain"
    expect_status 2
done
expect_line err "t2t: --max-bytes takes bytes above 0 such as 512M, not '0.5'; see 't2t help build'"

# Nor is more read to find out whether --salvage would help: it is not known
# then that nothing follows.
{
    printf '{"traceEvents": [x'
    head -c 200000 /dev/zero | tr '\0' ' '
} | gzip -c >"$work/blank.gz"
run t2t build -q "$work/blank.gz"
expect_status 3
expect_no_match err 'salvage'
run t2t build -q --max-bytes 100K "$work/blank.gz"
expect_status 3
expect_match err 'salvage'

# bomb NAME BEFORE UNIT BEHIND: a gigabyte of UNIT between two texts, as members
# of 16 MB, which many make quickly.
bomb() {
    "$PYTHON" - "$@" "$work" <<'END'
import gzip, sys
name, before, unit, behind, work = sys.argv[1:]
unit = unit.encode().decode("unicode_escape").encode()
part = gzip.compress(unit * ((16 << 20) // len(unit)), 6, mtime=0)
with open(work + "/" + name + ".gz", "wb") as f:
    f.write(gzip.compress(before.encode()))
    for _ in range(64):
        f.write(part)
    f.write(gzip.compress(behind.encode()))
END
}
bomb spaces '{"traceEvents": [' ' ' ']}'
bomb members '{"a": [0' ', 0' '], "traceEvents": []}'
bomb nothing '{"traceEvents": [] x' ' ' ''
bomb zeros '' '\x00' ''
bomb name '[{"ph": "X", "pid": 1, "tid": 1, "ts": 1, "name": "' 'a' '"}]'

# With a limit they cost no more than it, which also a refusal of what stands at
# the beginning does not.
for name in spaces members nothing zeros name; do
    run t2t build -q --max-bytes 8M "$work/$name.gz"
    expect_status 3
    expect_match err ': (limit|json-syntax|encoding): '
done

if [ -n "${T2T_SANITIZER-}" ]; then
    skip_one 'memory' 'sanitizers take more'
else
    # Without one they take their time, and no memory.
    describe 'spaces, in 300 MB of addresses'
    (
        # shellcheck disable=SC3045 # dash has it
        ulimit -v 300000
        "$T2T" build -q -j1 "$work/spaces.gz"
    ) >"$work/out" 2>"$work/err"
    status=$?
    expect_status 0
    describe 'NULs, in 300 MB of addresses'
    (
        # shellcheck disable=SC3045 # dash has it
        ulimit -v 300000
        "$T2T" build -q -j1 "$work/zeros.gz"
    ) >"$work/out" 2>"$work/err"
    status=$?
    expect_status 3
    describe 'a name of a gigabyte, in 300 MB of addresses'
    (
        # shellcheck disable=SC3045 # dash has it
        ulimit -v 300000
        "$T2T" build -q -j1 "$work/name.gz"
    ) >"$work/out" 2>"$work/err"
    status=$?
    check 'it is refused' expr "$status" : '[35]$'
    expect_match err '^t2t: .*name.gz: (limit|no-memory): '
    expect_no_file "$work/name.gz.t2t"
fi
finish
