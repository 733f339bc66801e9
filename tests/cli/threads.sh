#!/bin/sh
# threads.sh - the same bytes for any number of threads: of lanes that are cut in
# time, with what crosses a cut; TAP.
. "${top_srcdir:-.}/tests/cli/lib.sh"

# make_trace SEED: a main thread of 45,000 calls below frames that stay open,
# a backward thread, launches whose kernels come later, flows, recorded parents;
# some calls cross others, and some hundred start together.
make_trace() {
    "$AWK" -v seed="$1" '
    function below(n) {
        seed = (seed * 16807) % 2147483647
        return seed % n
    }
    function event(cat, tid, name, ts, dur, args) {
        printf ",\n{\"ph\": \"X\", \"cat\": \"%s\", \"pid\": %d, \"tid\": %d, " \
            "\"name\": \"%s\", \"ts\": %d.%03d, \"dur\": %d.%03d, " \
            "\"args\": {%s}}", cat, cat == "kernel" ? 0 : 7, tid, name, ts, \
            below(3) * 250, dur, below(3) * 250, args
    }
    BEGIN {
        printf "{\"traceEvents\": [{\"ph\": \"M\", \"name\": \"process_name\", " \
            "\"pid\": 7, \"args\": {\"name\": \"python\"}}"
        for (i = 0; i < 60; i++)
            event("python_function", 1, "frame " i, i, 4000000 - 3 * i - \
                below(7), "\"Python id\": " i + 1 ", \"Python parent id\": " i)
        for (i = 0; i < 45000; i++) {
            ts = 100 + (i % 5000 < 300 ? i - i % 5000 : i) * 60
            tid = i % 7 ? 1 : 2
            args = "\"External id\": " i + 1
            if (i % 3 == 0)
                event("cuda_runtime", tid, "cudaLaunchKernel", ts, below(40), \
                    "\"correlation\": " i + 1)
            else if (i % 5 == 0)
                event("python_function", tid, "call " i % 11, ts, \
                    below(9) ? below(200) : below(400000), \
                    "\"Python id\": " 100 + i ", \"Python parent id\": " \
                    (below(4) ? 1 + below(60) : 100 + i - below(90)))
            else
                event("cpu_op", tid, (i % 11 ? "aten::op" i % 17 : \
                    "autograd::engine::evaluate_function: op"), ts, \
                    below(20) ? below(150) : below(90000), args \
                    ", \"Sequence number\": " int(i / 40))
            if (i % 3 == 0)
                event("kernel", 3, "kernel " i % 13, ts + 30 + below(900), \
                    below(60), "\"correlation\": " i + 1)
            if (i % 9 == 1)
                printf ",\n{\"ph\": \"%s\", \"cat\": \"fwdbwd\", \"pid\": 7, " \
                    "\"tid\": %d, \"id\": %d, \"ts\": %d, \"name\": \"f\"}", \
                    below(2) ? "s" : "f", tid, int(i / 20), ts
        }
        print "]}"
    }' >"$work/$1.json"
}

for seed in 1 2 3; do
    make_trace $seed
    run t2t build -j1 -o "$work/1.t2t" "$work/$seed.json"
    expect_status 0
    run t2t check "$work/1.t2t"
    expect_status 0
    for options in -j2 -j3 '-j4 --memory 64M' '-j8 --no-layouts' -j16; do
        # shellcheck disable=SC2086 # words
        run t2t build $options -o "$work/n.t2t" "$work/$seed.json"
        expect_status 0
        check "the same bytes" cmp "$work/1.t2t" "$work/n.t2t"
        rm -f "$work/n.t2t"
    done
    rm -f "$work/1.t2t"
done
finish
