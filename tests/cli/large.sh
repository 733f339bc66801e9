# shellcheck shell=sh
# shellcheck disable=SC2154 # work is that of lib.sh
# large.sh - for other tests: writes $work/large.json, a trace that takes a
# moment to build.
"$AWK" 'BEGIN {
    print "{\"traceEvents\": ["
    for (i = 0; i < 150000; i++)
        printf "%s{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"op_%d\", " \
            "\"pid\": 1, \"tid\": %d, \"ts\": %d.%03d, \"dur\": %d.5}\n",
            i ? "," : "", i % 100, i % 3, i * 2, i % 1000, i % 50
    print "]}"
}' >"$work/large.json"
