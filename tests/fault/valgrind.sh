#!/bin/sh
# valgrind.sh - a build and some questions under valgrind: no byte is read that
# was not written, none is left behind.
. "${top_srcdir:-.}/tests/cli/lib.sh"
need valgrind
[ -z "${T2T_SANITIZER-}" ] || skip 'sanitizers see the same'
. "$top_srcdir/tests/cli/small.sh"
command=${top_builddir:-.}/.libs/t2t
if [ -x "$command" ]; then # not libtool's script
    LD_LIBRARY_PATH=${top_builddir:-.}/.libs
    export LD_LIBRARY_PATH
else
    command=$T2T
fi

for words in 'build -q -f -j2' 'build -q -f -j1 --salvage --anonymous' 'check' \
    'tree' 'ops' 'gaps' 'find' 'export --to trace'; do
    file=$work/small.json.t2t
    regex=
    case $words in
    build*) file=$work/small.json ;;
    find) regex='a.*m' ;;
    esac
    # shellcheck disable=SC2086 # words
    if [ "$regex" ]; then
        set -- find "$file" "$regex" --regex
    else
        set -- $words "$file"
    fi
    run_command valgrind -q --error-exitcode=99 --leak-check=full \
        --errors-for-leak-kinds=definite,possible "$command" "$@"
    describe "$words"
    check 'valgrind has nothing to say' sh -c \
        "test $status -le 1 && ! grep '^==' '$work/err'"
done
finish
