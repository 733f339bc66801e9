#!/bin/sh
# huge.sh - what is longer than the limits, made up as it is read: with
# T2T_LONG=1, as it takes minutes and gigabytes.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "$top_srcdir/tests/cli/damage.sh"
[ "${T2T_LONG:-0}" != 0 ] || skip 'it takes minutes: set T2T_LONG=1'

# flood BYTE: 1.1 GiB of it.
flood() {
    head -c 1181116006 /dev/zero | tr '\0' "$1"
}

# huge BYTE: a trace whose second element is made of it.
huge() {
    printf '{"traceEvents":[\n'
    operation a
    printf ',\n{"ph":"X","name":"'
    flood "$1"
    printf '"},\n'
    operation b
    printf ',\n'
    operation c
    printf '],"end":1}\n'
}

# limited COMMAND...: with no more memory than a few copies of an element.
limited() {
    (
        # shellcheck disable=SC3045 # dash has it
        ulimit -v $((7 << 20))
        "$@" >"$work/out" 2>"$work/err"
    )
    status=$?
}

for byte in x ' '; do
    for way in '-j1' '-j4 --chunk 1M'; do
        describe "an element of '$byte', $way"
        # shellcheck disable=SC2086 # it is two words
        huge "$byte" | {
            limited "$T2T" build $way -f - -o "$work/x.t2t"
            expect_status 3
            expect_line err "t2t: standard input: limit: an element of more than 1 GiB; build --salvage gives it up (at byte 86)"
        }
        # shellcheck disable=SC2086
        huge "$byte" | {
            limited "$T2T" build --salvage $way -f - -o "$work/x.t2t"
            expect_status 4
            expect_match err 'x\.t2t: 4 events, 3 in the tree'
            expect_line err '  lost: 1 part, 1,181,116,028 bytes, 1 event (first at byte 86: limit)'
        }
        run t2t check "$work/x.t2t"
        expect_status 0
    done
done
finish
