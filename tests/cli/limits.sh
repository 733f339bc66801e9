#!/bin/sh
# limits.sh - what is nested too deep or has too many values: refused at its
# byte with a way out, and given up by --salvage.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "$top_srcdir/tests/cli/damage.sh"
cd "$work" || exit 99
T2T=$(cd "$OLDPWD" && realpath "$T2T")

# trace COMMAND...: a trace whose second element's "v" is what that prints.
trace() {
    printf '{"traceEvents":[\n'
    operation a
    printf ',\n{"ph":"X","v":'
    "$@"
    printf '},\n'
    operation b
    printf '],"end":1}\n'
}

# nested LEVELS: so many brackets.
nested() {
    head -c "$1" /dev/zero | tr '\0' '['
    head -c "$1" /dev/zero | tr '\0' ']'
}

# numbers COUNT: a list of them.
# shellcheck disable=SC2317 # trace calls it
numbers() {
    printf '['
    yes 1, | tr -d '\n' | head -c $((2 * $1 - 1))
    printf ']'
}

# accepted: x.json is, whatever the chunks are.
accepted() {
    for way in '-j1' '-j4 --chunk 4K' '-j2 --chunk 64M'; do
        # shellcheck disable=SC2086 # they are words
        run t2t build -f $way x.json
        expect_status 0
        expect_match err 'x\.json\.t2t: 3 events'
    done
}

# refused BYTE MESSAGE LOST: x.json is, and salvage gives up so many bytes.
refused() {
    for way in '-j1' '-j4 --chunk 4K' '-j2 --chunk 64M'; do
        # shellcheck disable=SC2086
        run t2t build -f $way x.json
        expect_status 3
        expect_line err "t2t: x.json: limit: $2; build --salvage gives it up (at byte $1)"
        # shellcheck disable=SC2086
        run t2t build -f $way --salvage x.json
        expect_status 4
        expect_match err 'x\.json\.t2t: 3 events'
        expect_match err "  lost: 1 part, $3 bytes, 1 event \(first at byte $1: limit\)"
        cp x.json.t2t "way$way.t2t"
        check 'whatever the chunks are' cmp "way$way.t2t" way-j1.t2t
    done
    run t2t check x.json
    expect_status 1
    expect_line out "x.json: byte $1, element 1: limit: $2; a build ends here, --salvage gives up $3 bytes from byte 86 on, 1 element"
}

# the brackets of the array and of the element count, too
trace nested $((10240 - 2)) >x.json
accepted
trace nested $((10240 - 1)) >x.json
refused $((86 + 14 + 10240 - 2)) 'the nesting is too deep' 20,495

describe 'before the array'
{
    printf '{"a":'
    nested 10240
    printf ',"traceEvents":['
    operation a
    printf ']}'
} >x.json
run t2t build -f x.json
expect_status 3
expect_line err "t2t: x.json: limit: the nesting is too deep; build --salvage gives it up (at byte $((5 + 10240 - 1)))"
run t2t build -f --salvage x.json
expect_status 4
expect_match err '  lost: 1 part, .* 0 events \(first at byte 10244: limit\)'

# brackets, keys and "X" are values, too
most=$((16777216 - 5))
if [ -z "${T2T_SANITIZER:-}" ]; then
    trace numbers $most >x.json
    accepted
    trace numbers $((most + 1)) >x.json
    refused 86 'an element of more than 16,777,216 values' 33,554,442
else
    skip_one 'many values' 'it takes long with a sanitizer'
fi
finish
