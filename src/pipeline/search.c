/* search.c - names, and what stands behind each. */
#include "pipeline/search.h"

#include <string.h>

#include "json/repair.h"

/* So many bytes that mean nothing may stand between the name and the array. */
#define MOST_JUNK 4

/* An event is looked for so far behind a name, and may be so long. */
#define NEAR ((size_t)1 << 20)

/* The text may be read so often more, so that no text takes long. */
#define MOST_TRIED 8

#define PIECE ((size_t)64 << 10)

struct text {
    const char *ptr;
    size_t len;
    bool all;    /* the document ends with it */
    size_t left; /* bytes that may be read more than once */
    bool failed;
};

/* What stands behind a name. */
struct place {
    size_t at;    /* where elements begin */
    size_t end;   /* behind the array, or at the first bad byte */
    bool is_open; /* the text ends in it, the document does not */
    bool is_last; /* what follows it is whole to the end of the document */
    bool events;
};

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
           (c >= 'a' && c <= 'z') || c == '_';
}

static bool failed(struct text *t, const struct tt_repair *r)
{
    t->failed =
        t->failed || r->text.failed || r->scan.status == T2T_ERR_NO_MEMORY;
    return t->failed;
}

/* ---- events -------------------------------------------------------------- */

/* Whether what ended is the key `ph`, or one letter as its value. */
static bool ends_with(const struct tt_repair *r, size_t begin, const char *as)
{
    const char *p = r->text.ptr + begin;
    size_t len = r->text.len - begin;

    if (as)
        return len == strlen(as) && !memcmp(p, as, len);
    return len == 3 && p[0] == '"' && p[2] == '"';
}

static void spend(struct text *t, size_t bytes)
{
    t->left -= bytes < t->left ? bytes : t->left;
}

/* Whether a whole object with a phase begins at `at`. */
static bool is_event(struct text *t, size_t at)
{
    size_t end = t->len - at < NEAR ? t->len : at + NEAR;
    enum tt_scan_mark mark = TT_SCAN_CLOSE;
    struct tt_repair r;
    size_t begin = 0;
    size_t used;
    bool phase_next = false;
    bool found = false;

    tt_repair_init(&r, false, 1);
    while (mark != TT_SCAN_MORE && mark != TT_SCAN_BAD) {
        mark = tt_repair_feed(&r, (const unsigned char *)t->ptr + at, end - at,
                              at, &used);
        at += used;
        spend(t, used);
        if (mark == TT_SCAN_KEY_BEGIN || mark == TT_SCAN_VALUE_BEGIN)
            begin = r.text.len;
        else if (mark == TT_SCAN_KEY_END)
            phase_next = ends_with(&r, begin, "\"ph\"");
        else if (mark == TT_SCAN_VALUE_END && phase_next)
            found = ends_with(&r, begin, NULL);
        else if (mark == TT_SCAN_CLOSE)
            break;
    }
    found = found && mark == TT_SCAN_CLOSE && !failed(t, &r);
    tt_repair_release(&r);
    return found;
}

/* The first event between `at` and `end`; t->len when there is none. */
static size_t find_event(struct text *t, size_t at, size_t end)
{
    while (at < end && t->left && !t->failed) {
        const char *brace = memchr(t->ptr + at, '{', end - at);
        size_t next;

        if (!brace)
            break;
        at = (size_t)(brace - t->ptr);
        for (next = at + 1; next < t->len && is_space(t->ptr[next]); next++)
            continue;
        if (next < t->len && t->ptr[next] == '"' && is_event(t, at))
            return at;
        at++;
    }
    return t->len;
}

/* ---- arrays -------------------------------------------------------------- */

/* Feeds a scan from `*at` on, to the next mark of interest: CLOSE, BAD or
 * MORE. */
static enum tt_scan_mark feed(struct text *t, struct tt_repair *r, size_t *at)
{
    enum tt_scan_mark mark = TT_SCAN_VALUE_END;
    size_t used;

    while (*at < t->len && mark != TT_SCAN_CLOSE && mark != TT_SCAN_BAD) {
        size_t left = t->len - *at;

        mark = tt_repair_feed(r, (const unsigned char *)t->ptr + *at,
                              left < PIECE ? left : PIECE, *at, &used);
        *at += used;
        r->notes = 0;
        tt_repair_take(r, tt_repair_settled(r));
    }
    return mark;
}

/* Whether what stands behind the array is whole to the end of the document, or
 * to where another text begins. */
static bool is_last(struct text *t, size_t at)
{
    static const unsigned char before[] = "{\"\":[]";
    const size_t len = sizeof(before) - 1;
    struct tt_repair r;
    size_t from = at;
    size_t used;
    bool last;

    if (!t->left)
        return false;
    tt_repair_init(&r, false, 0);
    while (tt_repair_feed(&r, before, len, 0, &used))
        continue; /* the first mark comes before the first byte */
    if (feed(t, &r, &at) == TT_SCAN_BAD)
        last = r.scan.status == T2T_ERR_EXTRA_DATA && t->ptr[at] != ',';
    else
        last = !t->all || tt_scan_finish(&r.scan);
    last = last && !failed(t, &r);
    spend(t, at - from);
    tt_repair_release(&r);
    return last;
}

/* Looks at what stands at p->at. */
static void look(struct text *t, struct place *p)
{
    enum tt_scan_mark mark;
    struct tt_repair r;
    size_t first = p->at;

    *p = (struct place){.at = first, .end = first};
    tt_repair_init_array(&r, false, false);
    mark = feed(t, &r, &p->end);
    if (failed(t, &r))
        mark = TT_SCAN_BAD;
    tt_repair_release(&r);
    while (first < t->len && is_space(t->ptr[first]))
        first++;
    p->events = first < t->len && t->ptr[first] == '{' && is_event(t, first);
    if (mark == TT_SCAN_CLOSE) {
        p->is_last = is_last(t, p->end);
        return;
    }
    p->is_open = mark != TT_SCAN_BAD && !t->all;
    if (!p->events) {
        size_t left = t->len - first;
        size_t end = left < NEAR ? t->len : first + NEAR;

        p->events = find_event(t, first, end) < t->len;
    }
}

static bool is_better(const struct place *a, const struct place *b)
{
    if (a->events != b->events)
        return a->events;
    if (a->is_last != b->is_last)
        return a->is_last;
    return a->end - a->at > b->end - b->at;
}

/* ---- names --------------------------------------------------------------- */

/* The bytes at `p` that are the letter `c`, plain or escaped; 0 if none are. */
static size_t letter(const char *p, size_t len, char c)
{
    static const char digits[] = "0123456789abcdef";
    unsigned value = 0;

    if (len && *p == c)
        return 1;
    if (len < 6 || p[0] != '\\' || p[1] != 'u')
        return 0;
    for (size_t i = 2; i < 6; i++) {
        char lower = p[i] >= 'A' && p[i] <= 'F' ? (char)(p[i] | 0x20) : p[i];
        const char *digit = lower ? strchr(digits, lower) : NULL;

        if (!digit)
            return 0;
        value = value * 16 + (unsigned)(digit - digits);
    }
    return value == (unsigned char)c ? 6 : 0;
}

/* The place behind the name at `at`; 0 when it is not there. */
static size_t skip_name(const struct text *t, size_t at)
{
    size_t from = at;

    if (at && is_word(t->ptr[at - 1]))
        return 0;
    for (const char *name = "traceEvents"; *name; name++) {
        size_t step = letter(t->ptr + at, t->len - at, *name);

        if (!step)
            return 0;
        at += step;
    }
    return at < t->len && !is_word(t->ptr[at]) && at > from ? at : 0;
}

/* Whether an array may begin behind a name that ends at `at`; where. */
static bool skip_to_array(const struct text *t, size_t at, size_t *out)
{
    unsigned junk = 0;

    for (; at < t->len && junk <= MOST_JUNK; at++) {
        char c = t->ptr[at];

        *out = c == '[' ? at + 1 : at;
        if (c == '[' || c == '{')
            return true;
        if (c == ']' || c == '}')
            return false;
        junk += !is_space(c) && c != '"' && c != ':';
    }
    return false;
}

static bool is_sure(const struct place *p)
{
    return p->events && (p->is_open || p->is_last);
}

/* The next name from `*at` on that an array may follow; `*at` is set behind
 * it. */
static bool next_name(const struct text *t, size_t *at, struct place *p)
{
    while (*at < t->len) {
        char c = t->ptr[*at];
        size_t behind = c == 't' || c == '\\' ? skip_name(t, *at) : 0;

        *at = behind ? behind : *at + 1;
        if (behind && skip_to_array(t, behind, &p->at))
            return true;
    }
    return false;
}

/* The best array behind a name, and where the first one is. */
static bool find_named(struct text *t, struct place *best, size_t *first)
{
    struct place p = {0};
    bool any = false;
    bool sure = false;
    size_t at = 0;

    while (!sure && !t->failed && next_name(t, &at, &p)) {
        look(t, &p);
        at = p.end > at ? p.end : at;
        if (!p.events && t->ptr[p.at - 1] != '[')
            continue; /* some object */
        sure = is_sure(&p);
        if (!any)
            *first = p.at;
        if (!any || sure || is_better(&p, best))
            *best = p;
        any = true;
    }
    return any;
}

enum t2t_status tt_search_array(const char *text, size_t len, bool all,
                                struct tt_search_found *out)
{
    struct text t = {text, len, all, MOST_TRIED * len + NEAR, false};
    struct place best = {.at = len};
    size_t first = len;
    bool named = find_named(&t, &best, &first);
    size_t event = len;

    if (!named || !is_sure(&best)) {
        t.left = MOST_TRIED * len + NEAR;
        event = find_event(&t, 0, first);
    }
    *out = (struct tt_search_found){best.at, named};
    if (event < first)
        *out = (struct tt_search_found){event, false};
    if (t.failed)
        return T2T_ERR_NO_MEMORY;
    return named || event < first ? T2T_OK : T2T_END;
}
