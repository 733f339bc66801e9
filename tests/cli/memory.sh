#!/bin/sh
# memory.sh - build --memory of traces that have much of what others have little.
. "${top_srcdir:-.}/tests/cli/lib.sh"

# make_trace KIND: a trace of many elements, with something that no other has in
# each of them.
make_trace() {
    "$AWK" -v kind="$1" 'BEGIN {
        if (kind == "short") {
            printf "[1"
            for (i = 0; i < 1000000; i++)
                printf ",1"
            print "]"
            exit
        }
        print "{"
        for (i = 0; kind == "members" && i < 400000; i++)
            printf "\"m%d\": 0,\n", i
        print "\"traceEvents\": ["
        count = kind == "members" ? 0 : kind == "long" ? 500000 : 200000
        for (i = 0; i < count; i++) {
            name = kind == "names" ? "a name of its own: " i : "op" i % 10
            tid = kind == "lanes" ? i : 1
            ph = kind == "open" ? "B" : "X"
            dur = kind == "long" ? 5000000 : 1
            args = ""
            if (kind == "values")
                args = "\"a\": [[" i ", 3], []], \"s\": \"" i "\""
            if (kind == "shapes")
                args = "\"k" i "\": 1"
            printf "{\"ph\": \"%s\", \"cat\": \"cpu_op\", \"name\": \"%s\", " \
                   "\"pid\": 1, \"tid\": %d, \"ts\": %d, \"dur\": %d, " \
                   "\"args\": {%s}},\n", ph, name, tid, i * dur, dur, args
        }
        print "{}]}"
    }' >"$work/$1.json"
}

# in_data COMMAND...: with so much of what a program may set aside (threads have
# 8 MB of it each for their stacks).
in_data() {
    (
        # shellcheck disable=SC3045 # dash has it
        ulimit -d 50000
        "$@"
    ) >"$work/out" 2>"$work/err"
    status=$?
}

if [ -n "${T2T_SANITIZER-}" ]; then
    skip_one 'all' 'sanitizers take more'
    finish
fi
for kind in names lanes values shapes long open members short; do
    make_trace $kind
    describe "$kind, in 50 MB"
    in_data "$T2T" build -q --memory 16M -j2 -o "$work/2.t2t" \
        "$work/$kind.json"
    expect_status 0
    "$T2T" build -q --memory 1G -j1 -o "$work/1.t2t" "$work/$kind.json"
    check 'the index is the same' cmp "$work/1.t2t" "$work/2.t2t"
    rm -f "$work/$kind.json" "$work/1.t2t" "$work/2.t2t"
done
finish
