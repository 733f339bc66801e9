#!/bin/sh
# progress.sh - what a build shows on a terminal, and nowhere else.
. "${top_srcdir:-.}/tests/cli/lib.sh"
AWK=${AWK:-awk}
need "$PYTHON"
"$PYTHON" -c 'import pty, fcntl, termios' 2>/dev/null ||
    skip 'python3 has no terminals'
[ -d /proc/self/task ] || skip 'no /proc'
. "$top_srcdir/tests/cli/large.sh"

terminal() { # terminal COLUMNS HOW ARGUMENT...: runs t2t build
    columns=$1
    how=$2
    shift 2
    run_command "$PYTHON" "$top_srcdir/tests/cli/terminal.py" "$columns" \
        "$how" "$T2T" build --force -o "$work/x.t2t" "$@"
    describe "$columns columns, $how, $*"
    check 'the index is whole' "$T2T" check -q "$work/x.t2t"
    rm -f "$work/x.t2t"
    expect_line out 'exit 0'
    check 'no line is too long' "$AWK" -v most=$((columns + 1)) '
        /^exit/ || /events, / || /^.\\n/ { next } length > most { print; bad = 1 }
        END { exit bad }' "$work/out"
}

# erased: the last line drawn is followed by one of blanks, then the result.
erased() {
    # shellcheck disable=SC2016 # awk
    check 'it is erased at the end' "$AWK" '
        /events, / && !/making/ { bad = last !~ /^.  +.$/; said = 1 }
        { last = $0 }
        END { exit bad || !said }' "$work/out"
}

terminal 80 "pipe:$work/large.json" -
expect_match out "^'standard input  [0-9.]+ MB  [0-9.]+ [kMG]B/s *'$"
erased
# With a sanitizer each of these takes long, and shows it nothing new.
if [ -z "${T2T_SANITIZER-}" ]; then
    terminal 80 "pipe:$work/large.json" --no-progress -
    expect_no_match out 'standard input  '
    terminal 80 "pipe:$work/large.json" -q -
    expect_match out "^''$"
    expect_no_match out 'standard input'
    terminal 8 stop -j1 --no-layouts "$work/large.json"
    expect_no_match out 'large\.json  '
fi

# the long way, so that there is time to show something
widths='120 60 40 30 20'
[ -z "${T2T_SANITIZER-}" ] || widths=60
for columns in $widths; do
    terminal "$columns" stop -j1 --no-layouts "$work/large.json"
    case $columns in
    120 | 60)
        expect_match out "^'large\.json  [0-9]+ %  [0-9.]+ [kMG]?B of 1[0-9.]+ MB  [0-9.]+ [kMG]B/s  [0-9]+ s left *'$"
        ;;
    40 | 30) expect_match out "^'large\.json  [0-9]+ %" ;;
    *) expect_match out "^'large" ;;
    esac
    erased
done
run t2t build --force -o "$work/x.t2t" "$work/large.json"
expect_no_match err '%'
finish
