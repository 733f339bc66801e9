#!/bin/sh
# sidecar.sh - INDEX may be the trace: its index is used, built, built again.
. "${top_srcdir:-.}/tests/cli/lib.sh"
AWK=${AWK:-awk}
. "$top_srcdir/tests/cli/small.sh"
mkdir "$work/d" "$work/tmp"
trace=$work/d/small.json
index=$trace.t2t
TMPDIR=$work/tmp
export TMPDIR
cp "$work/small.json" "$trace"
"$T2T" dump "$work/small.json.t2t" >"$work/want"

files() {
    find "$1" -mindepth 1 | wc -l
}

# answers [LINE]: dump of the trace is right, and that is said, or nothing.
answers() {
    run t2t dump "$trace"
    expect_status 0
    check 'the answer is right' cmp "$work/want" "$work/out"
    if [ $# = 0 ]; then
        expect_empty err
    else
        expect_text err <<END
t2t: $1
END
    fi
    check 'no private index is left' test "$(files "$work/tmp")" = 0
}

answers "$trace: building its index $index"
answers
for reader in info tree timeline 'show @1' 'export --to trace'; do
    rm "$index"
    # shellcheck disable=SC2086 # two words
    set -- $reader
    name=$1
    shift
    case $name in
    show) run t2t show "$trace" "$@" ;;
    *) run t2t "$name" "$@" "$trace" ;;
    esac
    expect_status 0
    expect_line err "t2t: $trace: building its index $index"
    expect_file "$index"
done
answers

describe 'a trace that has changed'
touch -d '2001-02-03' "$trace"
answers "$index: is of another state of the trace; building it again"
touch -d '2001-02-03 00:00:00.000000001' "$trace"
answers "$index: is of another state of the trace; building it again"
answers
echo >>"$trace"
touch -d '2001-02-03 00:00:00.000000001' "$trace"
answers "$index: is of another state of the trace; building it again"
answers

describe 'an index that cannot be read'
# change OFFSET BYTES
change() {
    # shellcheck disable=SC2059 # the bytes are a format
    printf "$2" | dd of="$index" bs=1 seek="$1" conv=notrunc 2>/dev/null
}
change 8 '\002'
answers "$index: index-version: format 2.1, this program reads 1; building it again"
answers
change 70 '\377'
answers "$index: index-damage: wrong checksum of the header; building it again"
answers
head -c 500 "$index" >"$work/cut"
cp "$work/cut" "$index"
run t2t dump "$trace"
expect_status 0
expect_match err '^t2t: .*: index-damage: file of 500 bytes, .*; building it again$'
answers
for bytes in 1 8 127; do
    head -c "$bytes" "$work/small.json.t2t" >"$index"
    answers "$index: index-damage: file of $bytes bytes, shorter than its header; building it again"
    answers
done
: >"$index"
answers "$trace: building its index $index"

describe 'an index that is damaged behind its table'
# the end of what is packed; build does not look there
cp "$index" "$work/fits"
bytes=$(wc -c <"$index")
for at in $(seq 128 64 "$bytes"); do
    cp "$work/fits" "$index"
    change "$at" '\377\377\377\377\377\377\377\377'
    run t2t show "$trace" @1
    [ "$status" = 0 ] || break
done
expect_status 3
expect_match err "^t2t: .*: index-damage: .*; 't2t build --force $trace' makes it again$"
run t2t build "$trace"
expect_status 0
expect_match err 'is there and fits'
run t2t build --force "$trace"
expect_status 0
answers

describe 'a time that no index can say'
if touch -d '2300-01-01' "$trace" 2>/dev/null &&
    [ "$(date -r "$trace" +%Y)" -gt 2262 ]; then
    answers "$index: is of another state of the trace; building it again"
    answers
    run t2t info --format json "$trace"
    expect_match out '"mtime_ns":9223372036854775807'
    touch -d '1600-01-01' "$trace"
    if [ "$(date -r "$trace" +%Y)" -lt 1677 ]; then
        answers "$index: is of another state of the trace; building it again"
        run t2t info --format json "$trace"
        expect_match out '"mtime_ns":-9223372036854775808'
    fi
    touch -d '2001-02-03' "$trace"
    "$T2T" build -q "$trace"
else
    skip_one 'a time that no index can say' 'the file system has none'
fi

describe 'what is there is no index'
echo precious >"$index"
answers "$trace: building a private index, not $index: what is there is no index"
check 'it is as it was' grep -qx precious "$index"
rm "$index"
mkdir "$index"
answers "$trace: building a private index, not $index: what is there is no index"
rmdir "$index"
mkfifo "$index"
answers "$trace: building a private index, not $index: what is there is no index"
check 'the fifo is one still' test -p "$index"
rm "$index"
cp "$work/small.json.t2t" "$work/other"
ln -s "$work/other" "$index"
answers "$trace: building a private index, not $index: what is there is no plain file"
check 'the link is one still' test -h "$index"
"$T2T" build -q --force -o "$work/other" "$trace"
answers
rm "$index"

describe 'a name that leaves no room'
long=$(printf '%0245d' 0).json
mv "$trace" "$work/d/$long"
run t2t dump "$work/d/$long"
expect_status 0
expect_match err '^t2t: .*: building its index .*\.json\.t2t$'
check 'its index is there' test -f "$work/d/$long.t2t"
rm "$work/d/$long.t2t"
mv "$work/d/$long" "$work/d/00$long"
run t2t dump "$work/d/00$long"
expect_status 0
check 'the answer is right' cmp "$work/want" "$work/out"
expect_match err ': that name is too long$'
check 'nothing was written' test "$(files "$work/d")" = 1
run t2t build "$work/d/00$long"
expect_status 5
expect_match err 'File name too long'
mv "$work/d/00$long" "$trace"

describe 'a folder that cannot be written'
chmod 555 "$work/d"
if [ "$(id -u)" != 0 ]; then
    answers "$trace: building a private index, not $index: its folder cannot be written"
elif command -v setpriv >/dev/null && chmod 755 "$work" &&
    chmod 777 "$work/tmp" && setpriv --reuid=65534 --clear-groups \
    "$T2T" version >/dev/null 2>&1; then
    run_command setpriv --reuid=65534 --clear-groups "$T2T" dump "$trace"
    expect_status 0
    check 'the answer is right' cmp "$work/want" "$work/out"
    expect_line err "t2t: $trace: building a private index, not $index: its folder cannot be written"
    check 'nothing was written' test "$(files "$work/d")" = 1
    check 'no private index is left' test "$(files "$work/tmp")" = 0
else
    skip_one 'a folder that cannot be written' 'root may write everywhere'
fi
chmod 755 "$work/d"

describe 'what is there cannot be read, or not be replaced'
# nobody COMMAND [ARGUMENT]...: runs t2t as nobody
nobody() {
    describe "$@"
    shift
    setpriv --reuid=65534 --clear-groups "$T2T" "$@" >"$work/out" \
        2>"$work/err"
    status=$?
}
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null &&
    setpriv --reuid=65534 --clear-groups "$T2T" version >/dev/null 2>&1; then
    chmod 777 "$work/d"
    echo precious >"$index"
    chmod 600 "$index"
    nobody t2t dump "$trace"
    expect_status 0
    check 'the answer is right' cmp "$work/want" "$work/out"
    expect_line err "t2t: $trace: building a private index, not $index: cannot open the file: Permission denied"
    nobody t2t build "$trace"
    expect_status 5
    expect_line err "t2t: $index: io: cannot open the file: Permission denied (--force: write over it)"
    nobody t2t build -o "$index" "$trace"
    expect_status 5
    check 'it is as it was' grep -qx precious "$index"
    check 'no private index is left' test "$(files "$work/tmp")" = 0
    nobody t2t build -q --force "$trace"
    expect_status 0
    answers
    describe 'a folder that keeps what is others'
    touch -d '2001-02-04' "$trace"
    chmod 1777 "$work/d"
    cp "$work/small.json.t2t" "$index.new"
    mv "$index.new" "$index"
    nobody t2t dump "$trace"
    expect_status 0
    check 'the answer is right' cmp "$work/want" "$work/out"
    expect_line err "t2t: $trace: building a private index, not $index: what is there belongs to somebody else"
    check 'it is as it was' cmp "$work/small.json.t2t" "$index"
    chmod 755 "$work/d"
    rm "$index"
else
    skip_one 'what is there cannot be read' 'needs root and setpriv'
fi
echo precious >"$index"
run_command env "TMPDIR=$work/none" "$T2T" dump "$trace"
expect_status 5
expect_line err "t2t: $work/none: io: cannot make a private index in it: No such file or directory"
rm "$index"

describe 'the trace is gone'
"$T2T" build -q "$trace"
rm "$trace"
answers
change 70 '\377'
run t2t dump "$trace"
expect_status 3
expect_line err "t2t: $index: index-damage: wrong checksum of the header (at byte 120)"
rm "$index"
run t2t dump "$trace"
expect_status 3
expect_line err "t2t: $trace: io: cannot open the file: No such file or directory"

# Root may enter any folder, so it becomes somebody else, if that one can run
# the command where it is.
describe 'a folder that may not be entered'
mkdir "$work/closed"
echo '[]' >"$work/closed/a.json"
"$T2T" build -q -o "$work/closed/i.t2t" "$work/closed/a.json"
echo '[]' >"$work/b.json"
chmod 600 "$work/closed"
as=
if [ "$(id -u)" = 0 ]; then
    as='setpriv --reuid 65534 --regid 65534 --clear-groups'
    chmod 711 "$work"
    chown 65534 "$work/closed"
fi
# shellcheck disable=SC2086 # words
if $as "$T2T" info "$work/b.json" >/dev/null 2>&1; then
    while read -r words; do
        # shellcheck disable=SC2086
        run_command $as "$T2T" $words
        expect_status 5
        expect_match err '/closed/[a-z.0-9]*: io: its folder cannot be entered: Permission denied$'
        expect_empty out
    done <<END
build $work/closed/a.json
build -o $work/closed/x.t2t $work/b.json
info $work/closed/a.json
tree $work/closed/none
END
else
    skip_one 'a folder' 'nobody else can run the command'
fi
chmod 700 "$work/closed"

describe 'what is neither'
echo hello >"$work/d/letter"
run t2t info "$work/d/letter"
expect_status 3
expect_empty out
expect_text err <<END
t2t: $work/d/letter: json-syntax: no index, nor a trace that can be read: a value must come here (at byte 0)
END
: >"$work/d/empty"
run t2t info "$work/d/empty"
expect_status 3
expect_match err ': truncated: no index, nor a trace that can be read: the file is empty'
head -c 300 "$work/small.json" >"$work/d/cut.json"
run t2t info "$work/d/cut.json"
expect_status 3
expect_match err ': truncated: no index, nor a trace that can be read: .*cut short'
check 'nothing was written' test "$(files "$work/d")" = 3
mkfifo "$work/d/fifo"
run t2t info "$work/d/fifo"
expect_status 3
expect_match err '^t2t: .*/fifo: index-format: '
run t2t info -
expect_status 2
expect_match err '^t2t: - is no INDEX'

describe 'two at a time'
. "$top_srcdir/tests/cli/large.sh"
"$T2T" build -q -o "$work/x.t2t" "$work/large.json"
"$T2T" dump "$work/x.t2t" >"$work/want"
for round in 1 2 3; do
    rm -f "$work/large.json.t2t"
    for n in 1 2 3; do
        { "$T2T" dump "$work/large.json" >"$work/out.$n" 2>/dev/null ||
            : >"$work/out.$n"; } &
    done
    wait
    for n in 1 2 3; do
        check "round $round, answer $n" cmp "$work/want" "$work/out.$n"
    done
done
run t2t check "$work/large.json.t2t"
expect_status 0
finish
