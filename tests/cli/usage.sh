#!/bin/sh
# usage.sh - help, version, and what is said of wrong use.
. "${top_srcdir:-.}/tests/cli/lib.sh"

run t2t help
expect_status 0
expect_empty err
expect_match out '^usage: t2t COMMAND'
expect_match out '^  build '
expect_match out '^  t2t build rank0'
cp "$work/out" "$work/help"
for word in '' --help -h; do
    # shellcheck disable=SC2086 # no word is no argument
    run t2t $word
    expect_status 0
    check "the same as t2t help" cmp "$work/help" "$work/out"
done
check "the help fits a screen" awk '
    length > 80 { print; bad = 1 } END { exit bad || NR > 30 }' "$work/help"

"$T2T" help --complete -- '' >"$work/commands"
check 'every command is listed' test "$(wc -l <"$work/commands")" = \
    "$("$T2T" help | grep -c '^  [a-z]* \{2,\}[^ ]')"
while read -r name; do
    run t2t help "$name"
    expect_status 0
    expect_match out "^usage: t2t $name"
    expect_match out '^  -h, --help'
    expect_match out '^Example:$'
    expect_match out "^  t2t $name"
    cp "$work/out" "$work/help"
    check "lines have at most 80 columns" awk '
        length > 80 { print; bad = 1 } END { exit bad }' "$work/help"
    run t2t "$name" --help
    expect_status 0
    check "the same as t2t help $name" cmp "$work/help" "$work/out"
done <"$work/commands"

run t2t help build
expect_no_match out 'chunk'

run t2t version
expect_status 0
expect_match out '^t2t [0-9]+\.[0-9]+\.[0-9]+$'
cp "$work/out" "$work/version"
run t2t --version
check "the same as t2t version" cmp "$work/version" "$work/out"

wrong() { # wrong LINE ARGUMENT...
    line=$1
    shift
    run t2t "$@"
    expect_status 2
    expect_empty out
    expect_text err <<END
t2t: $line
END
}
wrong "no command 'biuld'; see 't2t help'" biuld
wrong "no command 'x'; see 't2t help'" help x
wrong "help takes one command; see 't2t help help'" help a b
wrong "build takes a trace; see 't2t help build'" build
wrong "no option '--frobnicate'; see 't2t help build'" build --frobnicate x
wrong "no option '-x'; see 't2t help build'" build -x y
wrong "option '-o' needs a value; see 't2t help build'" build x -o
wrong "option '--output' needs a value; see 't2t help build'" \
    build x --output
wrong "--jobs takes N, not 'two'; see 't2t help build'" build -j two x
wrong "--jobs takes N, not '-1'; see 't2t help build'" build -j -1 x
wrong "-j takes at most 1024; see 't2t help build'" build -j 1025 x
wrong "-o takes one trace; see 't2t help build'" build -o z x y
wrong "- needs -o; see 't2t help build'" build x -
wrong "-q and -v contradict each other; see 't2t help build'" build -q -v x
wrong "--min-dur takes a time such as 1.5ms, not '3 parsecs'; see 't2t help tree'" \
    tree --min-dur '3 parsecs' x
for finer in 80.0001us 0.5ns .0000000001s 1.2345; do
    wrong "--min-dur takes a time such as 1.5ms, not '$finer'; see 't2t help find'" \
        find --min-dur $finer x
done
wrong "--between takes two times such as 10ms 1.5s, the first not the later one, not '1ns' '1.5ns'; see 't2t help find'" \
    find --between 1ns 1.5ns x
wrong "--format takes text|json, not 'csv'; see 't2t help tree'" \
    tree --format csv x
wrong "--time-unit takes ns|us|ms|s|auto, not 'h'; see 't2t help timeline'" \
    timeline --time-unit h x
wrong "timeline takes INDEX; see 't2t help timeline'" timeline
wrong "dump takes INDEX; see 't2t help dump'" dump x y
wrong "export takes INDEX --to trace; see 't2t help export'" export --to trace
wrong "--to takes trace, not 'otlp'; see 't2t help export'" export --to otlp x
wrong "show takes INDEX NODE...; see 't2t help show'" show x
wrong "stack takes INDEX NODE...; see 't2t help stack'" stack x
wrong "find takes INDEX [PATTERN]; see 't2t help find'" find
wrong "find takes INDEX [PATTERN]; see 't2t help find'" find x y z
wrong "--between takes two times such as 10ms 1.5s, the first not the later one, not '2' '1'; see 't2t help find'" \
    find --between 2 1 x
wrong "--between takes two times such as 10ms 1.5s, the first not the later one; see 't2t help find'" \
    find x --between 2
wrong "--color takes auto|always|never, not 'red'; see 't2t help show'" \
    show --color red x 1
wrong "no command '\\u001b[31m\\nx'; see 't2t help'" "$(printf '\033[31m\nx')"
wrong "info takes INDEX; see 't2t help info'" info
wrong "tree takes INDEX [NODE]; see 't2t help tree'" tree
finish
