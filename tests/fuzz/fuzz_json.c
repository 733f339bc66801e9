/*
 * fuzz_json.c - any bytes as JSON: the strict scanner in one piece and byte by
 * byte, the scanner that repairs, whose text is JSON to the strict one, and the
 * tokens; a number is what the library of C takes it for.
 */
#include "fuzz.h"

#include <math.h>

#include <trace2tree/trace2tree.h>

#include "json/repair.h"
#include "json/scan.h"
#include "json/split.h"
#include "json/token.h"

#define MARKS 64u

/* What a scan said: the marks, with where each was, and how it ended. */
struct said {
    enum tt_scan_mark mark[MARKS];
    size_t at[MARKS];
    size_t count; /* all of them, also past those kept */
    size_t end;
    bool bad;
    bool whole;
    enum t2t_status status;
};

static void note(struct said *s, enum tt_scan_mark mark, size_t at)
{
    s->mark[s->count % MARKS] = mark;
    s->at[s->count % MARKS] = at;
    s->count++;
}

/* Scans in pieces of `step` bytes. */
static struct said scan(const uint8_t *ptr, size_t len, size_t step,
                        uint32_t watch)
{
    struct said said = {.count = 0};
    struct tt_scan s;
    size_t at = 0;

    tt_scan_init(&s, watch);
    while (at < len && !said.bad) {
        size_t part = len - at < step ? len - at : step;
        size_t used;
        enum tt_scan_mark mark = tt_scan_feed(&s, ptr + at, part, &used);

        CHECK(used <= part);
        at += used;
        if (mark != TT_SCAN_MORE)
            note(&said, mark, at);
        else
            CHECK(used == part);
        said.bad = mark == TT_SCAN_BAD;
    }
    said.end = at;
    said.status = said.bad ? s.status : T2T_OK;
    if (said.bad)
        CHECK(*tt_scan_reason(&s));
    else
        said.whole = tt_scan_finish(&s);
    tt_scan_release(&s);
    return said;
}

static void check_same(const struct said *a, const struct said *b)
{
    CHECK(a->count == b->count && a->end == b->end);
    CHECK(a->bad == b->bad && a->status == b->status && a->whole == b->whole);
    for (size_t i = 0; i < a->count && i < MARKS; i++)
        CHECK(a->mark[i] == b->mark[i] && a->at[i] == b->at[i]);
}

/* Repairs in pieces: the text that comes of it, and whether it is whole. */
static bool repair(const uint8_t *ptr, size_t len, size_t step,
                   struct tt_repair *r)
{
    bool bad = false;
    size_t at = 0;

    tt_repair_init(r, false, 0);
    while (at < len && !bad) {
        size_t part = len - at < step ? len - at : step;
        size_t used;
        enum tt_scan_mark mark = tt_repair_feed(r, ptr + at, part, at, &used);

        CHECK(used <= part);
        at += used;
        bad = mark == TT_SCAN_BAD;
    }
    CHECK(!r->text.failed);
    return !bad && tt_scan_finish(&r->scan);
}

static void check_repair(const uint8_t *ptr, size_t len, size_t step,
                         bool is_whole)
{
    struct tt_repair a, b;
    bool whole = repair(ptr, len, len, &a);
    struct said said;

    CHECK(whole == repair(ptr, len, step, &b));
    CHECK(a.text.len == b.text.len && a.notes == b.notes);
    CHECK(!a.text.len || !memcmp(a.text.ptr, b.text.ptr, a.text.len));
    if (whole) {
        said = scan((const uint8_t *)a.text.ptr, a.text.len, a.text.len, 0);
        CHECK(!said.bad && said.whole);
    }
    /* what is whole needs no repair */
    CHECK(!is_whole || (whole && !a.notes));
    tt_repair_release(&a);
    tt_repair_release(&b);
}

/* A number is read as the library of C does. */
static void check_number(char *text, size_t len)
{
    struct t2t_text json;
    double value = 0, other;
    enum t2t_status st;
    int used = 0;

    while (len && strchr(" \t\r\n", text[len - 1]))
        len--;
    while (len && strchr(" \t\r\n", *text)) {
        text++;
        len--;
    }
    if (*text != '-' && (*text < '0' || *text > '9'))
        return;
    text[len] = '\0';
    CHECK(sscanf(text, "%lf%n", &other, &used) == 1 && (size_t)used == len);
    json = (struct t2t_text){text, len};
    st = t2t_json_real(json, &value);
    CHECK(isinf(other) ? st == T2T_OTHER_TYPE
                       : !st && !memcmp(&value, &other, sizeof(value)));
}

int LLVMFuzzerTestOneInput(const uint8_t *ptr, size_t len)
{
    struct tt_tokens tokens = {0};
    struct said one, pieces;
    uint32_t watch;
    size_t step;
    char *text;

    if (len < 2)
        return 0;
    step = ptr[0] % 9 + 1u;
    watch = ptr[0] >> 6;
    ptr++;
    len--;
    one = scan(ptr, len, len, watch);
    pieces = scan(ptr, len, step, watch);
    check_same(&one, &pieces);
    check_repair(ptr, len, step, !one.bad && one.whole);
    text = malloc(len); /* so that a byte too far is seen */
    CHECK(text);
    memcpy(text, ptr, len);
    CHECK(tt_tokens_parse(&tokens, text, len));
    CHECK(tt_split_last(text, len, 0) <= len);
    CHECK(tt_split_next(text, len, len / 2) <= len);
    tt_tokens_release(&tokens);
    free(text);
    text = one.bad || !one.whole ? NULL : malloc(len + 1);
    if (text) {
        memcpy(text, ptr, len);
        text[len] = '\0';
        check_number(text, len);
    }
    free(text);
    return 0;
}
