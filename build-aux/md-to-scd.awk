# md-to-scd.awk - a page of doc/ as the body of a manual page.
#
#     awk -f md-to-scd.awk PAGE.md
#
# Knows what doc/format.md uses: headings, paragraphs, lists, tables, fenced
# blocks, `code`, *emphasis*.  The title is left out.

function escape(s) {
    gsub(/[\\*_`]/, "\\\\&", s)
    return s
}

# Text with `code` in bold and *emphasis* underlined.
function inline(s,    out, mark, rest, end) {
    out = ""
    while (match(s, /[`*]/)) {
        mark = substr(s, RSTART, 1)
        rest = substr(s, RSTART + 1)
        end = index(rest, mark)
        if (!end || (mark == "*" && (rest ~ /^ / || substr(rest, end - 1, 1) == " "))) {
            out = out escape(substr(s, 1, RSTART))
            s = rest
            continue
        }
        out = out escape(substr(s, 1, RSTART - 1))
        if (mark == "`")
            out = out "*" escape(substr(rest, 1, end - 1)) "*"
        else
            out = out "_" escape(substr(rest, 1, end - 1)) "_"
        s = substr(rest, end + 1)
        # A letter right behind would keep scdoc from seeing the end.
        if (s ~ /^[A-Za-z0-9]/)
            out = out "\\"
    }
    return out escape(s)
}

function say(before, s) {
    s = inline(s)
    if (s ~ /^[-.#;:|]/ || s ~ /^\[/ || s ~ /^]/)
        s = "\\" s
    print before s
}

# A row of a table; its last column takes the room there is.
function put_row(s,    n, cell, i, head) {
    sub(/^\| */, "", s)
    sub(/ *\|$/, "", s)
    n = split(s, cell, / *\| */)
    for (i = 1; i <= n; i++) {
        head = !table ? (i == n && n > 2 ? "<" : "[") : " "
        print (i == 1 ? (table ? "|" : "[") : ":") head " " \
            (table ? inline(cell[i]) : "*" escape(cell[i]) "*")
    }
    table = 1
}

/^```/ { fenced = !fenced; print "```"; next }
fenced { gsub(/\\/, "\\\\&"); print; next }
/^# / { next }
/^## / { print "# " toupper(escape(substr($0, 4))); list = 0; next }
/^### / { print "## " escape(substr($0, 5)); list = 0; next }
/^\|[-| :]+\|$/ { next }
/^\|/ { put_row($0); next }
NF == 0 { table = list = 0; print ""; next }
/^- / { list = 1; say("- ", substr($0, 3)); next }
/^[0-9]+\. / { list = 1; sub(/^[0-9]+\. /, ""); say(". ", $0); next }
list { sub(/^ +/, ""); say("  ", $0); next }
{ say("", $0) }
