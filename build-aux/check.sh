# shellcheck shell=sh
# check.sh - what the checks of the source share.

# report NUMBER WHAT: a TAP line, passed when standard input is empty; what is
# there is shown above it.
report() {
    if sed 's/^/# /' | grep .; then
        echo "not ok $1 - $2"
    else
        echo "ok $1 - $2"
    fi
}

# sources: the C files of the tree, from its top.
sources() {
    for folder in include src tools tests bench examples; do
        [ ! -d $folder ] || find $folder -name '*.[ch]' ! -name version.h
    done | sort
}
