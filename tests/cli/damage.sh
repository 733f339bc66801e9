# shellcheck shell=sh
# shellcheck disable=SC2154 # work is that of lib.sh
# damage.sh - for other tests: writes damaged traces to $work.  A test of its
# own when it is run: that their events are found.
#   repaired.json  damaged inside values: bytes 38, 153, 162, 204, 278, 284, 319
#   lost.json      element 1 lacks a colon (byte 157), 232 is a number, text from
#                  byte 246 on
#   odd.json       whole, with a kernel that has no launch
case $0 in
*/damage.sh) . "${top_srcdir:-.}/tests/cli/lib.sh" ;;
esac

# operation NAME [MEMBERS]: an event.
operation() {
    printf '{"ph":"X","cat":"cpu_op","name":"%s","pid":1,"tid":1,"ts":5,"dur":2%s}' \
        "$1" "${2-}"
}

{
    printf '[\n'
    operation 'C:\q'
    printf ',\n'
    operation b ',"args":{"x":NaN,"y":-inf}'
    printf ',\n'
    operation 'a\q\w'
    printf ',\n'
    operation "$(printf 'tab\there \377')"
    printf ','
} >"$work/repaired.json"
{
    printf '{"traceEvents":[\n'
    operation a
    printf ',\n'
    operation b ',"x" 1'
    printf ',\n'
    operation c ',"y":inf'
    printf '],"end":1}tail\n'
} >"$work/lost.json"
{
    printf '[\n'
    operation a
    printf ',\n{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":9,"dur":1}\n]'
} >"$work/odd.json"

case $0 in
*/damage.sh)
    for name in repaired:4 lost:3 odd:2; do
        run t2t build --salvage "$work/${name%:*}.json"
        expect_match err "json\.t2t: ${name#*:} events"
    done
    finish
    ;;
esac
