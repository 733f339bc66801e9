/* closest.c - of the names that there are, those that are most like one. */
#include "query/closest.h"

#include <string.h>

/* What is compared of a name: the price of two is the square. */
enum { COMPARED = 64, FAR = 1u << 16 };

struct folded {
    char at[COMPARED];
    size_t len;
};

static void fold(struct folded *f, struct t2t_text text)
{
    f->len = text.len < COMPARED ? text.len : COMPARED;
    for (size_t i = 0; i < f->len; i++) {
        char c = text.ptr[i];

        f->at[i] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* How many bytes must be put in, taken out or changed. */
static uint32_t edits(const struct folded *a, const struct folded *b)
{
    uint32_t row[COMPARED + 1];

    for (uint32_t k = 0; k <= b->len; k++)
        row[k] = k;
    for (uint32_t i = 1; i <= a->len; i++) {
        uint32_t diagonal = row[0];

        row[0] = i;
        for (uint32_t k = 1; k <= b->len; k++) {
            uint32_t change = diagonal + (a->at[i - 1] != b->at[k - 1]);

            diagonal = row[k];
            row[k] = least(change, least(row[k - 1], row[k]) + 1);
        }
    }
    return row[b->len];
}

/* Edits are counted in thousandths of the longer name: of a short name a few
 * are all. */
static uint32_t distance(struct t2t_text wanted, struct t2t_text name)
{
    struct folded a;
    struct folded b;
    uint32_t far;
    uint32_t longer;

    fold(&a, wanted);
    fold(&b, name);
    far = memmem(b.at, b.len, a.at, a.len) ? 0 : FAR;
    longer = (uint32_t)(a.len > b.len ? a.len : b.len);
    return far + edits(&a, &b) * 1000 / (longer ? longer : 1);
}

static bool is_there(const struct tt_closest *c, struct t2t_text name)
{
    for (unsigned i = 0; i < c->count; i++) {
        const struct tt_buffer *b = &c->name[i];

        if (b->len == name.len &&
            (!name.len || !memcmp(b->ptr, name.ptr, name.len)))
            return true;
    }
    return false;
}

void tt_closest_offer(struct tt_closest *c, struct t2t_text name)
{
    struct tt_buffer copy;
    unsigned at = c->count;
    uint32_t far;

    if (is_there(c, name))
        return;
    far = distance(c->to, name);
    while (at && c->distance[at - 1] > far)
        at--;
    if (c->count == TT_CLOSEST)
        c->more = true;
    if (at == TT_CLOSEST)
        return;
    if (c->count < TT_CLOSEST)
        c->count++;
    copy = c->name[c->count - 1];
    for (unsigned i = c->count - 1; i > at; i--) {
        c->name[i] = c->name[i - 1];
        c->distance[i] = c->distance[i - 1];
    }
    tt_buffer_clear(&copy);
    tt_buffer_add(&copy, name.ptr, name.len);
    c->failed |= copy.failed;
    c->name[at] = copy;
    c->distance[at] = far;
}

static void add_words(struct tt_buffer *to, const char *words)
{
    tt_buffer_add(to, words, strlen(words));
}

/* A name that looks like the one wanted shows what it has besides: a message
 * would end at a NUL. */
static void add_name(struct tt_buffer *to, struct t2t_text name)
{
    char piece[64];

    while (name.len) {
        size_t len =
            t2t_text_escape(&name, T2T_ESCAPE_TERMINAL, piece, sizeof(piece));

        tt_buffer_add(to, piece, len);
    }
}

void tt_closest_say(const struct tt_closest *c, struct tt_buffer *to)
{
    if (!c->count)
        add_words(to, "there is none");
    else if (c->count == 1)
        add_words(to, "there is only ");
    else
        add_words(to, c->more ? "the closest are " : "there are ");
    for (unsigned i = 0; i < c->count; i++) {
        if (i)
            add_words(to, ", ");
        add_name(to, (struct t2t_text){c->name[i].ptr, c->name[i].len});
    }
}

void tt_closest_release(struct tt_closest *c)
{
    for (unsigned i = 0; i < TT_CLOSEST; i++)
        tt_buffer_release(&c->name[i]);
    c->count = 0;
}
