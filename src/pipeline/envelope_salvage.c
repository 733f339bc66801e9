/* envelope_salvage.c - holds text, finds the array in it, closes the rest. */
#include "pipeline/envelope_salvage.h"

#include <string.h>

#include "pipeline/search.h"

/* So much behind damage is held before it is searched. */
#define SEARCHED ((size_t)64 << 20)

/* Where nothing is found, so much of it is held on. */
#define KEPT ((size_t)1 << 20)

/* An array that begins behind so few bytes is the document. */
#define MOST_STRAY 4

static enum t2t_status no_memory(struct t2t_error *err)
{
    return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
}

/* Takes `len` bytes off the front of what is held. */
static void drop(struct tt_envelope *e, size_t len)
{
    struct tt_buffer *held = &e->held;

    held->len -= len;
    e->held_offset += len;
    if (held->len && len)
        memmove(held->ptr, held->ptr + len, held->len);
}

bool tt_envelope_hold(struct tt_envelope *e, const char *text, size_t len,
                      uint64_t offset)
{
    struct tt_buffer *held = &e->held;

    if (e->damage->tolerance != T2T_SALVAGE || e->has_array) {
        e->holds_all = false;
        tt_buffer_release(held);
        return true;
    }
    if (!held->len)
        e->held_offset = offset;
    if (held->len > SEARCHED)
        e->holds_all = false; /* where damage follows, as give_up has it */
    tt_buffer_add(held, text, len);
    if (held->failed)
        return false;
    if (!e->holds_all && e->whole_offset > e->held_offset)
        drop(e, (size_t)(e->whole_offset - e->held_offset));
    return true;
}

/* Why a loss begins. */
static const char *reason_of(const struct tt_envelope *e, enum t2t_status class)
{
    if (class == T2T_ERR_NOT_A_TRACE)
        return e->has_array ? TT_ENVELOPE_TWICE : TT_ENVELOPE_NO_ARRAY;
    if (class == T2T_ERR_LIMIT && e->scan.scan.status != class)
        return TT_ENVELOPE_TOO_LONG;
    return e->scan.scan.status == class ? tt_scan_reason(&e->scan.scan) : NULL;
}

enum t2t_status tt_envelope_give_up(struct tt_envelope *e, uint64_t damage,
                                    enum t2t_status class,
                                    struct t2t_error *err)
{
    /* more text behind a whole document is all that is lost */
    bool extra = class == T2T_ERR_EXTRA_DATA && e->has_array;
    enum t2t_status st;

    if (!extra)
        e->scan.text.len = (size_t)(e->whole - e->stored);
    e->lost = true;
    e->in_key = false;
    e->hides = false;
    e->holds_all = e->holds_all && damage - e->held_offset <= SEARCHED;
    e->most_held = e->held.len + SEARCHED;
    st = tt_damage_lose(e->damage, extra ? damage : e->whole_offset, damage,
                        class, err);
    if (st)
        return st;
    e->damage->reason = reason_of(e, class);
    return e->holds_all ? T2T_OK : tt_envelope_store(e, e->scan.text.len, err);
}

/* Takes back the members that end behind `offset`, where the array was found:
 * it is in one of them. */
static void take_back(struct tt_envelope *e, uint64_t offset)
{
    const struct tt_member_record *last;

    if (!e->members || e->end[e->members - 1] <= offset)
        return;
    while (e->members && e->end[e->members - 1] > offset)
        e->members--;
    last = e->member + e->members;
    e->whole = e->members ? last[-1].envelope_offset + last[-1].bytes : 0;
    e->whole_offset = e->members ? e->end[e->members - 1] : 0;
    e->scan.text.len = (size_t)e->whole;
    tt_damage_loss(e->damage)->offset = e->whole_offset;
}

/* The array was found behind damage: the scan begins again, as if it were the
 * first member or, with nothing before it, the document. */
static enum t2t_status enter_again(struct tt_envelope *e, bool bare,
                                   struct t2t_error *err)
{
    static const char begin[] = "{\"traceEvents\":[";
    const char *text = bare ? "[" : begin;
    enum tt_scan_mark mark = TT_SCAN_CLOSE;
    size_t len = strlen(text);
    size_t at = 0;
    enum t2t_status st;

    tt_buffer_add_byte(&e->scan.text, e->whole ? ',' : *text);
    tt_buffer_add(&e->scan.text, text + 1, len - 1);
    if (e->scan.text.failed)
        return no_memory(err);
    st = tt_envelope_store(e, e->scan.text.len, err);
    tt_repair_release(&e->scan);
    tt_repair_init(&e->scan, false, 1);
    while (mark != TT_SCAN_MORE) {
        size_t used;

        mark = tt_repair_feed(&e->scan, (const unsigned char *)text + at,
                              len - at, 0, &used);
        at += used;
    }
    tt_repair_take(&e->scan, e->scan.text.len);
    e->has_array = true;
    e->is_events = !bare;
    e->is_bare = bare;
    e->lost = false;
    e->array = e->stored;
    return st;
}

/* Looks in what is held: behind the last whole member, then in all of it. */
static enum t2t_status look(const struct tt_envelope *e, bool all,
                            struct tt_search_found *out)
{
    const struct tt_buffer *held = &e->held;
    size_t from = e->whole_offset > e->held_offset
                      ? (size_t)(e->whole_offset - e->held_offset)
                      : 0;
    enum t2t_status st =
        tt_search_array(held->ptr + from, held->len - from, all, out);

    out->at += from;
    if (st < 0 || !from || (!st && out->named))
        return st;
    return tt_search_array(held->ptr, held->len, all, out);
}

/* Looks for the array in what is held; T2T_END when it is there: then that
 * begins with it. */
static enum t2t_status search(struct tt_envelope *e, bool all,
                              struct t2t_error *err)
{
    struct tt_search_found found;
    enum t2t_status st = look(e, all, &found);
    bool bare;

    if (st < 0)
        return no_memory(err);
    if (st == T2T_END)
        return T2T_OK;
    bare = e->holds_all && !found.named && found.at <= MOST_STRAY;
    drop(e, found.at);
    if (e->holds_all)
        take_back(e, e->held_offset);
    e->holds_all = false;
    tt_damage_end(e->damage, e->held_offset, TT_NO_POSITION);
    st = enter_again(e, bare, err);
    return st ? st : T2T_END;
}

/* What was held since the document began is not needed any more. */
static enum t2t_status let_go(struct tt_envelope *e, struct t2t_error *err)
{
    drop(e, e->held.len - KEPT);
    e->most_held = SEARCHED;
    if (!e->holds_all)
        return T2T_OK;
    e->holds_all = false;
    return tt_envelope_store(e, e->scan.text.len, err);
}

enum t2t_status tt_envelope_feed_lost(struct tt_envelope *e, const char *text,
                                      size_t len, size_t *used,
                                      struct t2t_error *err)
{
    enum t2t_status st = T2T_OK;

    *used = e->has_array ? len : 0;
    while (!st && *used < len) {
        size_t step = len - *used;

        if (step > e->most_held - e->held.len)
            step = e->most_held - e->held.len;
        tt_buffer_add(&e->held, text + *used, step);
        if (e->held.failed)
            return no_memory(err);
        *used += step;
        if (e->held.len < e->most_held)
            break;
        st = search(e, false, err);
        if (!st)
            st = let_go(e, err);
    }
    return st;
}

enum t2t_status tt_envelope_settle(struct tt_envelope *e, uint64_t offset,
                                   enum t2t_status class, struct t2t_error *err)
{
    enum t2t_status st = T2T_OK;

    if (e->damage->tolerance != T2T_SALVAGE || e->has_array || !e->started)
        return T2T_OK;
    if (!e->lost && tt_scan_finish(&e->scan.scan))
        return T2T_OK;
    if (!e->lost)
        st = tt_envelope_give_up(e, offset, class ? class : T2T_ERR_TRUNCATED,
                                 err);
    return st ? st : search(e, true, err);
}

enum t2t_status tt_envelope_close_early(struct tt_envelope *e, uint64_t offset,
                                        enum t2t_status class,
                                        struct t2t_error *err)
{
    const struct tt_damage *d = e->damage;
    const struct tt_loss_record *last = d->loss + d->losses;
    enum t2t_status st = T2T_OK;

    /* unless the array that ended there has said so */
    if (!d->losses || last[-1].offset + last[-1].bytes != offset)
        st = tt_envelope_give_up(e, offset, class ? class : T2T_ERR_TRUNCATED,
                                 err);
    if (st)
        return st;
    if (e->lost)
        tt_damage_end(e->damage, offset, TT_NO_POSITION);
    tt_buffer_add_byte(&e->scan.text, '}');
    return tt_envelope_store(e, e->scan.text.len, err);
}

enum t2t_status tt_envelope_finish_lost(struct tt_envelope *e, uint64_t offset,
                                        struct t2t_error *err)
{
    const struct tt_loss_record *loss = tt_damage_loss(e->damage);
    enum t2t_status class = (enum t2t_status) - (int)loss->class;

    if (!e->has_array && class == T2T_ERR_TRUNCATED)
        return tt_error(err, class, loss->damage, "the document is cut short");
    if (!e->has_array && class == T2T_ERR_NOT_A_TRACE)
        return tt_error(err, class, loss->damage, "%s", e->damage->reason);
    if (!e->has_array)
        return tt_error(err, class, loss->damage, "%s, and no events follow",
                        e->damage->reason ? e->damage->reason
                                          : "it is damaged");
    tt_damage_end(e->damage, offset, TT_NO_POSITION);
    if (class == T2T_ERR_EXTRA_DATA)
        return T2T_OK;
    tt_buffer_add_byte(&e->scan.text, '}');
    return tt_envelope_store(e, e->scan.text.len, err);
}
