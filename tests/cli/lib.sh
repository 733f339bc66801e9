# shellcheck shell=sh
# lib.sh - helpers of the command-line tests; each expectation is a TAP line.
#
#     . "${top_srcdir:-.}/tests/cli/lib.sh"
#     run t2t info "$work/none.t2t"
#     expect_status 3
#     expect_match err 'cannot open .*none\.t2t'
#     finish
#
# $work is a folder of the test's own, removed at its end.  $shared is the
# folder of traces; need_shared skips the test where it is absent.
set -u
LC_ALL=C
export LC_ALL
unset NO_COLOR COLUMNS
top_srcdir=${top_srcdir:-.}
T2T=${T2T:-${top_builddir:-.}/t2t}
PYTHON=${PYTHON:-python3}
# shellcheck disable=SC2034 # for the tests
shared=${T2T_SHARED:-$top_srcdir/../shared}
what=
work=$(mktemp -d "${top_builddir:-.}/test.XXXXXX") || exit 99
work=$(cd "$work" && pwd) || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 129' HUP INT TERM
: >"$work/out"
: >"$work/err"
# Counted in files: an expectation may stand at the end of a pipe.
echo 0 >"$work/.tests"
echo 0 >"$work/.failed"

# count_one FILE: adds one to the number in it.
count_one() {
    read -r tests <"$work/$1"
    tests=$((tests + 1))
    echo $tests >"$work/$1"
}

# describe WORD...: what the next lines are about, without what varies.
describe() {
    what=$(printf '%s' "$*" | tr '\n' ' ' |
        sed -e "s,$work/,,g" -e "s,$shared/,,g" -e 's/#/no. /g')
}

# run t2t [ARGUMENT]...: keeps $status and the streams out and err for the
# expectations.  Standard input is that of run.
run() {
    describe "$@"
    shift
    "$T2T" "$@" >"$work/out" 2>"$work/err"
    status=$?
}

# run_command COMMAND [ARGUMENT]...: the same for any other command.
run_command() {
    describe "$@"
    "$@" >"$work/out" 2>"$work/err"
    status=$?
}

# report RESULT TEXT: a TAP line, passed when RESULT is 0; shows the streams
# when not.
report() {
    if [ "$1" = 0 ]; then
        count_one .tests
        echo "ok $tests - $what: $2"
    else
        count_one .failed
        count_one .tests
        echo "not ok $tests - $what: $2"
        echo "# status ${status-none}"
        for stream in out err; do
            head -n 40 "$work/$stream" | cut -c 1-300 | sed "s/^/# $stream: /"
        done
    fi
}

# check TEXT COMMAND [ARGUMENT]...: passes when the command does.
check() {
    text=$1
    shift
    if "$@" >"$work/.check" 2>&1; then
        report 0 "$text"
    else
        report 1 "$text"
        head -n 40 "$work/.check" | cut -c 1-300 | sed 's/^/# /'
    fi
}

expect_status() {
    [ "$status" = "$1" ]
    report $? "exits $1"
}

# expect_line STREAM LINE: the stream has that line, whole.
expect_line() {
    grep -Fqx -e "$2" "$work/$1"
    report $? "$1 says $(printf '%s' "$2" | sed -e "s,$work/,,g" -e 's/#/no. /g')"
}

# expect_match STREAM REGEX: a line of the stream matches (grep -E).
expect_match() {
    grep -Eq -e "$2" "$work/$1"
    report $? "$1 matches $(printf '%s' "$2" | sed -e "s,$work/,,g" -e 's/#/no. /g')"
}

# expect_no_match STREAM REGEX: none does.
expect_no_match() {
    ! grep -Eq -e "$2" "$work/$1"
    report $? "$1 has no $(printf '%s' "$2" | sed 's/#/no. /g')"
}

expect_empty() {
    [ ! -s "$work/$1" ]
    report $? "$1 is empty"
}

# expect_text STREAM: the stream is what stands on standard input, exactly.
expect_text() {
    cat >"$work/.expected"
    if cmp -s "$work/.expected" "$work/$1"; then
        report 0 "$1 is as expected"
    else
        report 1 "$1 is as expected"
        diff "$work/.expected" "$work/$1" | head -n 60 | sed 's/^/# /'
    fi
}

# expect_file PATH, expect_no_file PATH
expect_file() {
    [ -e "$1" ]
    report $? "there is ${1##*/}"
}

expect_no_file() {
    [ ! -e "$1" ]
    report $? "there is no ${1##*/}"
}

# skip REASON: ends the test as skipped; what was reported before stays.
skip() {
    read -r tests <"$work/.tests"
    if [ "$tests" = 0 ]; then
        echo "1..0 # SKIP $*"
        exit 0
    fi
    skip_one "the rest" "$*"
    finish
}

# skip_one WHAT REASON: one line, skipped; the test goes on.
skip_one() {
    count_one .tests
    echo "ok $tests - $1 # SKIP $2"
}

# Skips the test where the folder of traces is absent.
need_shared() {
    [ -d "$shared/traces" ] || skip "no traces: set T2T_SHARED"
}

# need COMMAND: skips the test where it is missing.
need() {
    command -v "$1" >/dev/null 2>&1 || skip "$1 is missing"
}

# Ends every test.
finish() {
    read -r tests <"$work/.tests"
    read -r failed <"$work/.failed"
    echo "1..$tests"
    exit $((failed > 0))
}
