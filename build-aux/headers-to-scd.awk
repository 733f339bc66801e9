# headers-to-scd.awk - libtrace2tree.scd out of the public headers.
#
#     awk -f headers-to-scd.awk TEMPLATE HEADER...
#
# Copies TEMPLATE; for its line "; headers" each HEADER, those that trace2tree.h
# lists first and in that order; for a line "; file NAME" the file NAME of the
# folder above this program's (variable top) as a literal block.  Where a header
# names doc/architecture.md, it is that of the folder docdir.  Of a header:
# its first comment as text, then each declaration under its name, with the
# comment before it.  What a header needs for that: comments and declarations
# begin in the first column, and a blank line ends a declaration.

function escape(s) {
    gsub(/[\\*_`]/, "\\\\&", s)
    # `name` is underlined.
    while (match(s, /\\`[^`]*\\`/))
        s = substr(s, 1, RSTART - 1) "_" substr(s, RSTART + 2, RLENGTH - 4) \
            "_" substr(s, RSTART + RLENGTH)
    return s
}

# A line of text; a sign that would begin something else is escaped.
function say(before, s) {
    s = escape(s)
    if (s ~ /^[-.#;:|]/ || s ~ /^\[/ || s ~ /^]/)
        s = "\\" s
    print before s
}

function literal(s) {
    gsub(/\\/, "\\\\&", s)
    print s
}

function fence(on) {
    if (on != fenced)
        print on ? "\n```" : "```\n"
    fenced = on
}

# Prints text[1..count], the lines of a comment.
function describe(count,    i, s, word, indent) {
    indent = ""
    for (i = 1; i <= count; i++) {
        s = text[i]
        if (s ~ /^@param/) {
            fence(0)
            split(s, word, / +/)
            print "\n_" escape(word[2]) "_"
            sub(/^@param +[^ ]+ +/, "", s)
            indent = "\t"
            say(indent, s)
        } else if (s ~ /^@return/) {
            fence(0)
            print "\n*returns*"
            sub(/^@return +/, "", s)
            indent = "\t"
            say(indent, s)
        } else if (s == "") {
            fence(0)
            print ""
            indent = ""
        } else if (indent != "") {
            sub(/^ +/, "", s)
            say(indent, s)
        } else if (s ~ /^  - /) {
            fence(0)
            print "- " escape(substr(s, 5))
        } else if (s ~ /^    [^ ]/ && i > 1 && text[i - 1] ~ /^  (- |  [^ ])/) {
            print "  " escape(substr(s, 5))
        } else if (s ~ /^   /) {
            fence(1)
            literal(substr(s, 4))
        } else {
            fence(0)
            say("", s)
        }
    }
    fence(0)
    print ""
}

# The functions, the type or the macros that code[1..count] declares.
function heading(count,    i, all, names, name) {
    for (i = 1; i <= count; i++)
        all = all " " code[i]
    gsub(/\/\*[^*]*\*\//, "", all)
    if (all ~ /^ static inline/ && match(all, /t2t_[a-z0-9_]+\(/))
        return substr(all, RSTART, RLENGTH - 1)
    if (all ~ /T2T_API/) {
        while (match(all, /t2t_[a-z0-9_]+ *\(/)) {
            name = substr(all, RSTART, RLENGTH - 1)
            sub(/ +$/, "", name)
            # The name of a function comes first behind its mark.
            if (substr(all, 1, RSTART) ~ /T2T_API/) {
                names = names (names ? ", " : "") name
                all = substr(all, RSTART)
                if (!sub(/^[^;]*;/, "", all))
                    break
            } else
                break
        }
        return names
    }
    if (match(all, /^ typedef [a-z][^;(]* \**[a-z0-9_]+\([a-z]/)) {
        name = substr(all, RSTART, RLENGTH - 2)
        sub(/.*[* ]/, "", name)
        return name
    }
    if (match(all, /typedef [^;(]*[( ]\**[a-z0-9_]+ *[;)]/)) {
        name = substr(all, RSTART, RLENGTH)
        sub(/ *[;)]$/, "", name)
        sub(/.*[* (]/, "", name)
        return name
    }
    if (match(all, /(struct|enum|union) [a-z0-9_]+ *\{/))
        return substr(all, RSTART, RLENGTH - 2)
    if (match(all, /#define [A-Za-z0-9_]+/))
        return substr(all, RSTART + 8, RLENGTH - 8)
    return ""
}

# Rows of an X-macro as the enum that is made of them.
function put_rows(count,    i, row, part) {
    print "enum t2t_status {"
    for (i = 2; i <= count; i++) {
        row = code[i]
        gsub(/^ *X\(|\).*$/, "", row)
        split(row, part, ", ")
        printf "    T2T_%s = %s, /* %s */\n", part[1], part[2], part[3]
    }
    print "};"
}

function declare(comment_count, count,    i, name, s) {
    if (code[1] ~ /^(extern "C"|})/)
        return
    for (i = 1; i <= count; i++)
        if (code[i] ~ /^#undef X/)
            return # made of rows that were shown
    name = heading(count)
    if (name == "" && comment_count) {
        name = text[1]
        sub(/[.:]( .*)?$/, "", name)
    }
    if (code[1] ~ /^#define T2T_STATUS_MAP/)
        name = "enum t2t_status"
    print "## " escape(name) "\n\n```"
    if (code[1] ~ /^#define T2T_STATUS_MAP/)
        put_rows(count)
    else
        for (i = 1; i <= count; i++) {
            s = code[i]
            if (code[1] ~ /^static inline/) {
                if (s ~ /^\{/)
                    break
                sub(/^static inline /, "", s)
                if (code[i + 1] ~ /^\{/)
                    s = s ";"
            }
            sub(/ *\\$/, "", s)
            if (sub(/^T2T_API /, "", s))
                marked = 1
            else if (marked)
                sub(/^        /, "", s)
            if (s ~ /;/)
                marked = 0
            literal(s)
        }
    print "```\n"
    if (comment_count)
        describe(comment_count)
}

# Fills text[] with the comment at line[i]; returns the line behind it.
function read_comment(i,    s) {
    texts = 0
    for (;; i++) {
        s = line[i]
        last = s ~ /\*\/$/
        sub(/ *\*\/$/, "", s)
        sub(/^ ?\/?\*+ ?/, "", s)
        if (s != "" || (texts && !last))
            text[++texts] = s
        if (last || i > lines)
            return i + 1
    }
}

# Fills code[] with the declaration at line[i]; returns the line behind it.
function read_code(i,    s, depth) {
    codes = 0
    for (; i <= lines; i++) {
        s = line[i]
        if (!depth && (s == "" || s ~ /^\/\*/))
            break
        code[++codes] = s
        gsub(/[^{}]/, "", s)
        depth += gsub(/\{/, "", s) - gsub(/}/, "", s)
    }
    return i
}

function read_lines(path,    s) {
    lines = 0
    while ((getline s < path) > 0) {
        if (docdir)
            gsub(/doc\/architecture\.md/, docdir "/architecture.md", s)
        line[++lines] = s
    }
    close(path)
    if (!lines) {
        print "headers-to-scd.awk: cannot read " path > "/dev/stderr"
        exit failed = 1
    }
}

# The header's own comment; returns the line behind it.
function put_title(name,    i) {
    for (i = 1; line[i] !~ /^\/\*/ && i < lines; i++)
        ;
    if (name == "version.h" && line[1] !~ /^\/\*/) {
        print "# VERSION.H\n"
        return 1
    }
    i = read_comment(i)
    print "# " toupper(name) "\n"
    sub(/^[^ ]+ - /, "", text[1])
    text[1] = toupper(substr(text[1], 1, 1)) substr(text[1], 2)
    describe(texts)
    return i
}

# A comment that stands alone; its first line may be a title between dashes.
function put_part(    i, title) {
    title = "What follows"
    if (text[1] ~ /^--/) {
        title = text[1]
        gsub(/^-+ *| *-+[ *]*$/, "", title)
        title = toupper(substr(title, 1, 1)) substr(title, 2)
        text[1] = ""
    }
    print "## " escape(title)
    if (text[1] != "")
        print ""
    describe(texts)
}

function put_header(path,    i, name, commented) {
    name = path
    sub(/.*\//, "", name)
    read_lines(path)
    i = put_title(name)
    while (i <= lines) {
        if (line[i] ~ /^#if(def __cplusplus| defined)/) {
            while (line[i] !~ /^#endif/)
                i++
            i++
            continue
        }
        if (line[i] == "" || line[i] ~ /^#(ifndef|include|endif)/ ||
            line[i] ~ /^#define [A-Z0-9_]+_H$/) {
            i++
            continue
        }
        commented = 0
        if (line[i] ~ /^\/\*/) {
            i = read_comment(i)
            commented = texts
            if (line[i] == "" || line[i] ~ /^\/\*/) {
                put_part()
                continue
            }
        }
        i = read_code(i)
        declare(commented, codes)
    }
}

# Orders the headers as the list in trace2tree.h does; it comes first itself.
function put_headers(    i, k, path, s, order, main) {
    for (i = 2; i < ARGC; i++)
        if (ARGV[i] ~ /\/trace2tree\.h$/)
            main = ARGV[i]
    while ((getline s < main) > 0)
        if (match(s, /^ \* +[a-z_]+\.h /)) {
            split(s, order, / +/)
            listed[++k] = order[3]
        }
    close(main)
    for (i = 1; i <= k; i++)
        for (path = 2; path < ARGC; path++)
            if (ARGV[path] ~ ("/" listed[i] "$")) {
                put_header(ARGV[path])
                done[path] = 1
            }
    for (path = 2; path < ARGC; path++)
        if (!done[path] && ARGV[path] != main)
            put_header(ARGV[path])
}

function put_file(path,    s, n) {
    print "```"
    while ((getline s < path) > 0) {
        literal(s)
        n++
    }
    close(path)
    if (!n) {
        print "headers-to-scd.awk: cannot read " path > "/dev/stderr"
        exit failed = 1
    }
    print "```"
}

BEGIN {
    while ((getline row < ARGV[1]) > 0) {
        if (row == "; headers")
            put_headers()
        else if (row ~ /^; file /)
            put_file(top "/" substr(row, 8))
        else
            print row
        rows++
    }
    if (!rows)
        exit failed = 1
    exit 0
}

END {
    if (failed)
        exit 1
}
