#!/bin/sh
# interrupt.sh - signals: what is left, what is said, and the status.
. "${top_srcdir:-.}/tests/cli/lib.sh"
AWK=${AWK:-awk}
need "$PYTHON"
. "$top_srcdir/tests/cli/small.sh"
. "$top_srcdir/tests/cli/large.sh"
send=$top_srcdir/tests/cli/send.py
mkdir "$work/out.d"
mkfifo "$work/fifo"

files() {
    find "$1" -type f | wc -l
}

describe 'a build that waits for a pipe'
for row in INT:130 TERM:143 HUP:129; do
    run_command "$PYTHON" "$send" "${row%:*}" "fifo:$work/fifo" \
        "$T2T" build -o "$work/out.d/x.t2t" "$work/fifo"
    expect_line out "exit ${row#*:}"
    expect_text err <<END
t2t: interrupted
END
    check 'nothing is left' test "$(files "$work/out.d")" = 0
done

describe 'of several traces none is begun any more'
run_command "$PYTHON" "$send" INT "fifo:$work/fifo" "$T2T" build \
    "$work/fifo" "$work/large.json"
expect_line out 'exit 130'
expect_no_file "$work/large.json.t2t"
expect_no_file "$work/fifo.t2t"

describe 'an ignored signal stays ignored'
(
    trap '' HUP
    "$T2T" build -q -o "$work/out.d/x.t2t" "$work/fifo" &
    exec 3>"$work/fifo"
    kill -HUP $!
    cat "$work/small.json" >&3
    exec 3>&-
    wait $!
    echo "exit $?"
) >"$work/out" 2>"$work/err"
expect_line out 'exit 0'
check 'the index is there' cmp "$work/out.d/x.t2t" "$work/out.d/x.t2t"
rm -f "$work/out.d/x.t2t"

# at_moments SIGNAL...: builds, with a signal after some milliseconds: what was
# there is as it was, or the new index is whole.
describe 'a signal at any moment'
cp "$work/small.json.t2t" "$work/old"
whole=0
stopped=0
bad=
for moment in 0 5 10 15 20 25 30 35 40 45 50 60 70 80 90 \
    100 110 120 130 140 150 160 170 180 200 220 240 260 280 300; do
    signal=INT
    [ $((moment % 20)) = 0 ] && signal=TERM
    cp "$work/old" "$work/out.d/x.t2t"
    how=$("$PYTHON" "$send" $signal $moment "$T2T" build -q --force \
        -o "$work/out.d/x.t2t" "$work/large.json" 2>/dev/null)
    case $how in
    'exit 0')
        whole=$((whole + 1))
        "$T2T" check -q "$work/out.d/x.t2t" || bad="$bad $moment:damaged"
        cmp -s "$work/old" "$work/out.d/x.t2t" && bad="$bad $moment:old"
        ;;
    'exit 130' | 'exit 143')
        stopped=$((stopped + 1))
        cmp -s "$work/old" "$work/out.d/x.t2t" || bad="$bad $moment:new"
        ;;
    'killed 2' | 'killed 15') # before it began, or when it had ended
        "$T2T" check -q "$work/out.d/x.t2t" || bad="$bad $moment:damaged"
        ;;
    *) bad="$bad $moment:$how" ;;
    esac
    [ "$(files "$work/out.d")" = 1 ] || bad="$bad $moment:litter"
done
echo "# $stopped stopped, $whole whole"
check "all is well:$bad" test -z "$bad"
check 'some were stopped' test $stopped -gt 0

describe 'the file of -o'
"$T2T" build -q "$work/large.json"
"$T2T" dump -o "$work/want" "$work/large.json"
rm "$work/out.d/x.t2t"
bad=
for moment in 0 10 20 30 40 50 60 80 100 150; do
    echo old >"$work/out.d/dump"
    how=$("$PYTHON" "$send" INT $moment "$T2T" dump -o "$work/out.d/dump" \
        "$work/large.json")
    case $how in
    'exit 0') cmp -s "$work/want" "$work/out.d/dump" || bad="$bad $moment:cut" ;;
    'killed 2')
        grep -qx old "$work/out.d/dump" ||
            cmp -s "$work/want" "$work/out.d/dump" || bad="$bad $moment:cut"
        ;;
    *) bad="$bad $moment:$how" ;;
    esac
    [ "$(files "$work/out.d")" = 1 ] || bad="$bad $moment:litter"
done
check "it is as it was, or whole:$bad" test -z "$bad"

# It has no name while it is written, where the system has such files; fault/
# has the moments in which it gets one.
describe 'the file of -o, killed'
bad=
killed=0
for moment in 0 10 20 30 40 50 60 80 100 150; do
    rm -f "$work/out.d"/*
    how=$("$PYTHON" "$send" KILL $moment "$T2T" dump -o "$work/out.d/dump" \
        "$work/large.json")
    case $how in
    'exit 0') cmp -s "$work/want" "$work/out.d/dump" || bad="$bad $moment:cut" ;;
    'killed 9') killed=$((killed + 1)) ;;
    *) bad="$bad $moment:$how" ;;
    esac
    "$T2T" dump -o "$work/out.d/dump" "$work/small.json" || bad="$bad $moment"
    [ "$(files "$work/out.d")" = 1 ] || bad="$bad $moment:litter"
done
check "nothing is left once it is written again:$bad" test -z "$bad"
check 'some were killed' test $killed -gt 0

describe 'a report leaves whole files'
"$T2T" report "$work/large.json" --csv-dir "$work/reports"
bad=
stopped=0
for moment in 0 10 20 30 40 50 60 80 100 150; do
    rm -rf "$work/some"
    : >"$work/there"
    how=$("$PYTHON" "$send" INT $moment "$T2T" report "$work/large.json" \
        --csv-dir "$work/some")
    case $how in
    'exit 0') [ "$(files "$work/some")" = "$(files "$work/reports")" ] || bad="$bad $moment:few" ;;
    'killed 2') stopped=$((stopped + 1)) ;;
    *) bad="$bad $moment:$how" ;;
    esac
    [ ! -d "$work/some" ] || find "$work/some" -type f >>"$work/there"
    while read -r file; do
        cmp -s "$file" "$work/reports/${file##*/}" || bad="$bad $moment:${file##*/}"
    done <"$work/there"
done
check "each is as it should be:$bad" test -z "$bad"
check 'some were stopped' test $stopped -gt 0

# Others may call a file as they like, and who writes one has a lock on it.
describe 'what is not left of a killed command'
rm -f "$work/out.d"/*
mkdir "$work/out.d/dump.t2t-tmp0"
echo mine >"$work/out.d/dump.t2t-tmp1"
ln "$work/out.d/dump.t2t-tmp1" "$work/out.d/second"
echo left >"$work/out.d/dump.t2t-tmp2"
echo living >"$work/out.d/dump.t2t-tmp3"
if command -v flock >/dev/null; then
    flock "$work/out.d/dump.t2t-tmp3" "$T2T" dump -o "$work/out.d/dump" \
        "$work/small.json"
    check 'what is locked stays' \
        grep -qx living "$work/out.d/dump.t2t-tmp3"
else
    skip_one 'what is locked' 'flock is missing'
    "$T2T" dump -o "$work/out.d/dump" "$work/small.json"
fi
check 'a folder stays' test -d "$work/out.d/dump.t2t-tmp0"
check 'what has two names stays' grep -qx mine "$work/out.d/dump.t2t-tmp1"
expect_no_file "$work/out.d/dump.t2t-tmp2"

describe 'what cannot be replaced is written in place'
ln -s "$work/want" "$work/link"
run t2t dump -o "$work/link" "$work/small.json"
expect_status 0
check 'the link is one still' test -h "$work/link"
"$T2T" dump "$work/small.json" >"$work/small.dump"
check 'and leads to the answer' cmp "$work/small.dump" "$work/want"
ln "$work/want" "$work/second"
run t2t info -o "$work/want" "$work/small.json"
check 'both names have the answer' cmp "$work/want" "$work/second"
run t2t dump -o /dev/stdout "$work/small.json"
check 'a device gets the answer' cmp "$work/small.dump" "$work/out"

describe 'a command that fails leaves the file as it was'
echo old >"$work/answer"
chmod 640 "$work/answer"
run t2t show -o "$work/answer" "$work/small.json" 99
check 'it failed' test "$status" != 0
check 'the file is as it was' grep -qx old "$work/answer"
run t2t show -o "$work/answer" "$work/small.json" 1
expect_status 0
check 'its mode stays' test "$(stat -c %a "$work/answer")" = 640
check 'no temporary file is left' \
    test -z "$(find "$work" -maxdepth 1 -name '*tmp*')"
finish
