/* flow.c - flows by id, then operations by sequence number. */
#include "merge/flow.h"

#include <trace2tree/index.h>

#include "base/sort.h"

/* ---- places -------------------------------------------------------------- */

#define SIEVE_BITS_A_PLACE 8

static size_t sieve_bytes(const struct tt_flows *f)
{
    return ((size_t)1 << f->sieve_bits) / 8;
}

/* The bit of a thread and start. */
static size_t sieve_bit(const struct tt_flows *f, uint32_t thread,
                        int64_t start_ns)
{
    uint64_t mixed = thread * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)start_ns;

    return (size_t)((mixed * UINT64_C(0xff51afd7ed558ccd)) >>
                    (64 - f->sieve_bits));
}

/*
 * Most operations are not at a place.  To look each of them up in a table that
 * fits no cache would take a fifth of the time of nesting; the sieve, which
 * does, lets one in eight of them through.
 */
static bool make_sieve(struct tt_flows *f)
{
    f->sieve_bits = 6;
    while (f->sieve_bits < 40 &&
           (uint64_t)f->places * SIEVE_BITS_A_PLACE >> f->sieve_bits)
        f->sieve_bits++;
    f->sieve = tt_memory_take_zero(f->memory, sieve_bytes(f));
    if (!f->sieve)
        return false;
    for (size_t i = 0; i < f->at.slots; i++) {
        const struct tt_idmap_slot *s = &f->at.slot[i];
        size_t bit;

        if (!s->high)
            continue;
        bit = sieve_bit(f, s->high - 1, (int64_t)s->low);
        f->sieve[bit / 64] |= UINT64_C(1) << bit % 64;
    }
    return true;
}

static bool passes_sieve(const struct tt_flows *f, uint32_t thread,
                         int64_t start_ns)
{
    size_t bit = sieve_bit(f, thread, start_ns);

    return f->sieve[bit / 64] >> bit % 64 & 1;
}

void tt_flows_release(struct tt_flows *f)
{
    tt_idmap_release(&f->at);
    tt_memory_give(f->memory, f->sieve, sieve_bytes(f));
    tt_memory_give(f->memory, f->place, f->place_cap * sizeof(*f->place));
    tt_memory_give(f->memory, f->pair, f->pair_cap * sizeof(*f->pair));
    tt_blocks_release(&f->sequenced);
    tt_memory_give(f->memory, f->link, f->link_cap * sizeof(*f->link));
    *f = (struct tt_flows){0};
}

/* The place a flow event names; TT_NO_PLACE if it has no time. */
static bool place_of(struct tt_flows *f, const struct tt_trace *t,
                     const struct tt_other *o, uint32_t *out)
{
    uint32_t *place;

    *out = TT_NO_PLACE;
    if (!(o->flags & TT_HAS_START))
        return true;
    place = tt_idmap_put(&f->at, t->lane[o->lane].thread, (uint64_t)o->start_ns,
                         (uint32_t)f->places);
    if (!place)
        return false;
    *out = *place;
    if (*place < f->places)
        return true;
    if (!tt_memory_room(f->memory, &f->place, &f->place_cap, f->places,
                        sizeof(*f->place)))
        return false;
    f->place[f->places++] =
        (struct tt_flow_place){.node = TT_NO_NODE, .engine = TT_NO_NODE};
    return true;
}

/* Ids of one kind: an integer, a negative one, a text. */
static uint32_t id_kind(const struct tt_other *o)
{
    return o->flags & (TT_A_NEGATIVE | TT_A_TEXT);
}

/* The ends of flows by id, the first of an id counts. */
struct ends {
    struct tt_idmap from; /* kind and id -> place */
    struct tt_idmap to;   /* kind and id -> pair */
};

static bool read_flow(struct tt_flows *f, const struct tt_trace *t,
                      const struct tt_other *o, struct ends *ends)
{
    struct tt_idmap *map = o->phase == 's' ? &ends->from : &ends->to;
    size_t before = map->count;
    uint32_t *end = tt_idmap_put(map, id_kind(o), o->a, 0);
    uint32_t place;

    if (!end)
        return false;
    if (map->count == before)
        return true;
    if (!place_of(f, t, o, &place))
        return false;
    *end = place;
    if (o->phase == 's')
        return true;
    *end = (uint32_t)f->pairs;
    if (!tt_memory_room(f->memory, &f->pair, &f->pair_cap, f->pairs,
                        sizeof(*f->pair)))
        return false;
    f->pair[f->pairs++] = (struct tt_flow_pair){TT_NO_PLACE, place};
    return true;
}

/* Finds the start of each flow that has an end. */
static bool join_ends(struct tt_flows *f, const struct tt_trace *t,
                      const struct ends *ends)
{
    for (size_t i = 0; i < t->others.count; i++) {
        const struct tt_other *o = tt_trace_other(t, i);
        const uint32_t *from, *pair;

        if (!tt_watch_turn(t->watch, i))
            return false;
        if (!(o->flags & TT_FLOW_FORWARD) || o->phase != 's' ||
            !(o->flags & TT_A_SET))
            continue;
        pair = tt_idmap_get(&ends->to, id_kind(o), o->a);
        from = tt_idmap_get(&ends->from, id_kind(o), o->a);
        if (pair && from)
            f->pair[*pair].from = *from;
    }
    return true;
}

enum t2t_status tt_flows_read(struct tt_flows *f, const struct tt_trace *t)
{
    struct ends ends = {0};
    bool ok = true;

    f->watch = t->watch;
    f->memory = t->memory;
    f->at.memory = f->sequenced.memory = t->memory;
    ends.from.memory = ends.to.memory = t->memory;
    f->by_number = t->has_engine;
    for (size_t i = 0; t->has_forward_flow && ok && i < t->others.count; i++) {
        const struct tt_other *o = tt_trace_other(t, i);

        ok = tt_watch_turn(t->watch, i);
        if (ok && (o->flags & TT_FLOW_FORWARD) && (o->flags & TT_A_SET))
            ok = read_flow(f, t, o, &ends);
    }
    ok = ok && (!t->has_forward_flow || join_ends(f, t, &ends));
    ok = ok && make_sieve(f);
    tt_idmap_release(&ends.from);
    tt_idmap_release(&ends.to);
    return ok ? T2T_OK : tt_watch_reason(t->watch);
}

bool tt_flows_find(const struct tt_flows *f, struct tt_shown *s)
{
    int64_t start_ns = s->event->start_ns;
    const uint32_t *at = NULL;

    if (passes_sieve(f, s->thread, start_ns))
        at = tt_idmap_get(&f->at, s->thread, (uint64_t)start_ns);
    s->place = at ? *at : TT_NO_PLACE;
    return at || (f->by_number && (s->event->flags & TT_B_SET));
}

enum t2t_status tt_flows_show(struct tt_flows *f, const struct tt_shown *shown)
{
    const struct tt_event *e = shown->event;

    if (shown->place != TT_NO_PLACE) {
        struct tt_flow_place *p = &f->place[shown->place];

        if (p->node == TT_NO_NODE || p->position < e->position)
            *p = (struct tt_flow_place){shown->node,
                                        shown->engine == TT_NO_NODE
                                            ? shown->node
                                            : shown->engine,
                                        e->position};
    }
    if (f->by_number && (e->flags & TT_B_SET)) {
        struct tt_sequenced *s = tt_blocks_add(&f->sequenced, sizeof(*s));

        if (!s)
            return T2T_ERR_NO_MEMORY;
        *s = (struct tt_sequenced){e->b,        e->start_ns,   e->position,
                                   shown->node, shown->thread, e->flags};
    }
    return T2T_OK;
}

static bool add_link(struct tt_flows *f, struct tt_idmap *linked,
                     uint32_t backward, uint32_t forward)
{
    size_t before = linked->count;

    if (!tt_idmap_put(linked, 0, backward, forward))
        return false;
    if (linked->count == before)
        return true; /* the first link counts */
    if (!tt_memory_room(f->memory, &f->link, &f->link_cap, f->links,
                        sizeof(*f->link)))
        return false;
    f->link[f->links++] = (struct tt_link){backward, forward};
    return true;
}

static bool link_by_flow(struct tt_flows *f, struct tt_idmap *linked)
{
    for (size_t i = 0; i < f->pairs; i++) {
        const struct tt_flow_place *from, *to;

        if (!tt_watch_turn(f->watch, i))
            return false;
        if (f->pair[i].from == TT_NO_PLACE || f->pair[i].to == TT_NO_PLACE)
            continue;
        from = &f->place[f->pair[i].from];
        to = &f->place[f->pair[i].to];
        if (from->node != TT_NO_NODE && to->node != TT_NO_NODE &&
            !add_link(f, linked, to->engine, from->node))
            return false;
    }
    return true;
}

/* By number, start, position. */
static int compare_sequenced(const void *a, const void *b)
{
    const struct tt_sequenced *x = *(const struct tt_sequenced *const *)a;
    const struct tt_sequenced *y = *(const struct tt_sequenced *const *)b;
    int negative_x = (x->flags & TT_B_NEGATIVE) != 0;
    int negative_y = (y->flags & TT_B_NEGATIVE) != 0;

    if (negative_x != negative_y)
        return negative_x - negative_y;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return x->position < y->position ? -1 : x->position > y->position;
}

static bool same_number(const struct tt_sequenced *a,
                        const struct tt_sequenced *b)
{
    return a->number == b->number && !((a->flags ^ b->flags) & TT_B_NEGATIVE);
}

/* The latest forward candidate so far, and the latest of another thread. */
struct latest {
    const struct tt_sequenced *first;
    const struct tt_sequenced *second;
};

/* Adds a candidate; they come by start, then position, and of equal starts the
 * first one counts. */
static void add_candidate(struct latest *l, const struct tt_sequenced *s)
{
    if (!l->first || s->start_ns > l->first->start_ns) {
        if (l->first && l->first->thread != s->thread)
            l->second = l->first;
        l->first = s;
    } else if (s->thread != l->first->thread &&
               (!l->second || s->start_ns > l->second->start_ns)) {
        l->second = s;
    }
}

/* Links the backward operations of one number, `s[0]` to `s[count - 1]`. */
static bool link_number(struct tt_flows *f, struct tt_idmap *linked,
                        const struct tt_sequenced *const *s, size_t count)
{
    struct latest latest = {0};
    bool typed = true;
    size_t from = 0;

    for (size_t i = 0; i < count; i++)
        typed &= (s[i]->flags & TT_FWD_SET) != 0;
    while (from < count) {
        size_t end = from;

        /* all of one start look back before any of them can be found */
        for (; end < count && s[end]->start_ns == s[from]->start_ns; end++) {
            const struct tt_sequenced *found = latest.first;

            if (!(s[end]->flags & TT_ENGINE))
                continue;
            if (!typed && found && found->thread == s[end]->thread)
                found = latest.second;
            if (found && !add_link(f, linked, s[end]->node, found->node))
                return false;
        }
        for (; from < end; from++)
            if (!(s[from]->flags & TT_ENGINE) &&
                (!typed || (s[from]->flags & TT_FWD_ZERO)))
                add_candidate(&latest, s[from]);
    }
    return true;
}

static bool link_by_number(struct tt_flows *f, struct tt_idmap *linked)
{
    size_t count = f->sequenced.count;
    const struct tt_sequenced **s;
    bool ok;

    s = tt_memory_take(f->memory, (count + 1) * sizeof(*s));
    if (!s)
        return false;
    for (size_t i = 0; i < count; i++)
        s[i] = tt_blocks_at(&f->sequenced, i, sizeof(**s));
    ok = !tt_sort(s, count, sizeof(*s), compare_sequenced, f->memory, f->watch);
    for (size_t from = 0, end = 0, turn = 0; ok && from < count; from = end) {
        while (end < count && same_number(s[from], s[end]))
            end++;
        ok = tt_watch_turn(f->watch, turn++) &&
             link_number(f, linked, s + from, end - from);
    }
    tt_memory_give(f->memory, s, (count + 1) * sizeof(*s));
    return ok;
}

static int compare_links(const void *a, const void *b)
{
    const struct tt_link *x = a;
    const struct tt_link *y = b;

    return x->backward < y->backward ? -1 : x->backward > y->backward;
}

enum t2t_status tt_flows_join(struct tt_flows *f)
{
    struct tt_idmap linked = {.memory = f->memory};
    bool ok = link_by_flow(f, &linked) && link_by_number(f, &linked);

    tt_idmap_release(&linked);
    if (!ok)
        return tt_watch_reason(f->watch);
    return tt_sort(f->link, f->links, sizeof(*f->link), compare_links,
                   f->memory, f->watch);
}
