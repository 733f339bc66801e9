/* hostwork.c - what threads did. */
#include "query/hostwork.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/status.h"
#include "base/vec.h"
#include "query/sorted.h"

/* A node, and when it ran as the tree nests it. */
struct call {
    struct tt_interval time;
    t2t_id id;
    uint32_t size;
};

/* The outermost calls of a thread: they do not overlap. */
struct roots {
    struct call *item; /* by start; owned */
    size_t cap;
    uint32_t count;
    uint64_t *before; /* time covered by those before each, and by all; owned */
    uint32_t *longest; /* a tree of winners: that of node n is the longer of
                          those of 2n and 2n + 1; leaf i is node leaves + i;
                          owned */
    size_t leaves;
};

/* A question that has an outermost call, on the way down. */
struct inquiry {
    struct tt_interval during; /* both together */
    int64_t middle_ns;
    t2t_id root;
    uint32_t number; /* of the question */
};

struct finding {
    const t2t_index *index;
    struct tt_host_work *work;
    struct roots roots;
    struct inquiry *inquiry; /* owned */
    uint32_t inquiries;
    struct call *stack; /* what runs, the innermost last; owned */
    size_t stack_cap;
    uint32_t depth;
};

#define NOBODY UINT32_MAX

static enum t2t_status damaged(struct t2t_error *err, t2t_id id)
{
    return tt_error(err, T2T_ERR_INDEX_DAMAGE, TT_NO_OFFSET,
                    "element %" PRIu32 " holds an impossible value", id);
}

static uint64_t length(const struct tt_interval *v)
{
    return (uint64_t)v->end_ns - (uint64_t)v->start_ns;
}

/* What two have in common; of nothing start and end are equal. */
static struct tt_interval common(const struct tt_interval *a,
                                 const struct tt_interval *b)
{
    struct tt_interval both = *a;

    if (b->start_ns > both.start_ns)
        both.start_ns = b->start_ns;
    if (b->end_ns < both.end_ns)
        both.end_ns = b->end_ns;
    if (both.end_ns < both.start_ns)
        both.end_ns = both.start_ns;
    return both;
}

/* Whether the nodes from `id` on are GPU events, `count` of them: ids in `gpu`,
 * those from `id` on, follow each other as long as they are. */
static bool are_gpu(const t2t_id *gpu, t2t_id id, uint32_t count)
{
    return gpu[count - 1] - (count - 1) == id;
}

/* The first node at or after `id`, before `end`, that is no GPU event; else
 * `end`. */
static t2t_id next_host(const t2t_index *index, t2t_id id, t2t_id end)
{
    uint32_t count;
    const t2t_id *gpu = t2t_index_gpu_nodes(index, &count);
    uint32_t first = t2t_index_gpu_rank(index, id);
    uint32_t low = 0;                                  /* so many are */
    uint32_t high = first < count ? count - first : 0; /* so many may be */

    for (uint64_t step = 1; step <= high; step *= 2) {
        if (are_gpu(gpu + first, id, (uint32_t)step))
            low = (uint32_t)step;
        else
            high = (uint32_t)step - 1;
    }
    while (low < high) {
        uint32_t middle = low + (high - low + 1) / 2;

        if (are_gpu(gpu + first, id, middle))
            low = middle;
        else
            high = middle - 1;
    }
    return id < end && low < end - id ? id + low : end;
}

/* Reads node `id`. */
static enum t2t_status read_node(const t2t_index *index, t2t_id id,
                                 struct t2t_element *e, struct t2t_error *err)
{
    if (t2t_index_element(index, id, e) || !e->has_start || !e->size)
        return damaged(err, id);
    return T2T_OK;
}

/* A node as a call that ends with `outer_ns`, and where the next call outside
 * it starts, which is before node `end`. */
static enum t2t_status make_call(const t2t_index *index,
                                 const struct t2t_element *e, t2t_id end,
                                 int64_t outer_ns, struct call *out,
                                 struct t2t_error *err)
{
    struct t2t_element next;
    int64_t end_ns;
    t2t_id after;

    if (e->size > end - e->id)
        return damaged(err, e->id);
    if (__builtin_add_overflow(e->start_ns, e->dur_ns, &end_ns))
        end_ns = INT64_MAX;
    if (outer_ns < end_ns)
        end_ns = outer_ns;
    after = next_host(index, e->id + e->size, end);
    if (after < end) {
        if (read_node(index, after, &next, err))
            return T2T_ERR_INDEX_DAMAGE;
        if (next.start_ns < end_ns)
            end_ns = next.start_ns;
    }
    *out = (struct call){{e->start_ns,
                          end_ns < e->start_ns ? e->start_ns : end_ns},
                         e->id,
                         e->size};
    return T2T_OK;
}

/* ---- the outermost calls ------------------------------------------------- */

/* Of two of them the longer, of equals the first. */
static uint32_t longer(const struct roots *r, uint32_t a, uint32_t b)
{
    if (a == NOBODY || b == NOBODY)
        return a == NOBODY ? b : a;
    return length(&r->item[b].time) > length(&r->item[a].time) ? b : a;
}

/* Makes what they are asked by. */
static enum t2t_status prepare_roots(struct roots *r, struct t2t_error *err)
{
    for (r->leaves = 1; r->leaves < r->count; r->leaves *= 2)
        ;
    r->before = malloc(((size_t)r->count + 1) * sizeof(*r->before));
    r->longest = malloc(r->leaves * 2 * sizeof(*r->longest));
    if (!r->before || !r->longest)
        return tt_no_memory(err);
    r->before[0] = 0;
    for (uint32_t i = 0; i < r->count; i++)
        r->before[i + 1] = r->before[i] + length(&r->item[i].time);
    for (size_t i = 0; i < r->leaves; i++)
        r->longest[r->leaves + i] = i < r->count ? (uint32_t)i : NOBODY;
    for (size_t i = r->leaves - 1; i; i--)
        r->longest[i] = longer(r, r->longest[2 * i], r->longest[2 * i + 1]);
    return T2T_OK;
}

static void release_roots(struct roots *r)
{
    free(r->item);
    free(r->before);
    free(r->longest);
    *r = (struct roots){.count = 0};
}

/* Reads those of a lane. */
static enum t2t_status read_roots(struct finding *f, uint32_t lane,
                                  struct t2t_error *err)
{
    struct roots *r = &f->roots;
    struct t2t_index_info info;
    struct t2t_lane l;
    enum t2t_status st = T2T_OK;
    t2t_id end;

    t2t_index_info(f->index, &info);
    if (t2t_index_lane(f->index, lane, &l) || l.first_node > info.node_count ||
        l.node_count > info.node_count - l.first_node)
        return damaged(err, l.first_node);
    end = l.first_node + l.node_count;
    for (t2t_id id = l.first_node; !st && id < end;) {
        struct t2t_element e;
        struct call *c;

        if (!tt_vec_room(&r->item, &r->cap, r->count, sizeof(*r->item)))
            return tt_no_memory(err);
        c = &r->item[r->count];
        st = read_node(f->index, id, &e, err);
        if (!st)
            st = make_call(f->index, &e, end, INT64_MAX, c, err);
        if (st)
            break;
        if (r->count && c->time.start_ns < c[-1].time.end_ns)
            return damaged(err, id); /* they come by start */
        r->count++;
        id += c->size;
    }
    return st ? st : prepare_roots(r, err);
}

/* How many of them end at or before a time, or start before it. */
static uint32_t count_roots(const struct roots *r, int64_t time_ns, bool ended)
{
    uint32_t low = 0;
    uint32_t high = r->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct tt_interval *v = &r->item[middle].time;

        if (ended ? v->end_ns <= time_ns : v->start_ns < time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The longest of those from `from` up to `to`. */
static uint32_t longest_of(const struct roots *r, uint32_t from, uint32_t to)
{
    size_t low = r->leaves + from;
    size_t high = r->leaves + to;
    uint32_t left = NOBODY;
    uint32_t right = NOBODY;

    for (; low < high; low /= 2, high /= 2) {
        if (low & 1)
            left = longer(r, left, r->longest[low++]);
        if (high & 1)
            right = longer(r, r->longest[--high], right);
    }
    return longer(r, left, right);
}

/* Finds the outermost call of question `number`; what is found goes on as an
 * inquiry. */
static void ask_roots(struct finding *f, uint32_t number)
{
    const struct roots *r = &f->roots;
    const struct tt_interval *during = &f->work[number].during;
    uint32_t first = count_roots(r, during->start_ns, true);
    uint32_t behind = count_roots(r, during->end_ns, false);
    struct tt_interval best = {0, 0};
    uint32_t found = NOBODY;
    uint64_t covered = 0;
    uint32_t candidates[3];

    if (first >= behind)
        return;
    candidates[0] = first;
    candidates[1] =
        behind - first > 2 ? longest_of(r, first + 1, behind - 1) : first;
    candidates[2] = behind - 1;
    for (int i = 0; i < 3; i++) {
        struct tt_interval both = common(&r->item[candidates[i]].time, during);

        if (length(&both) > length(&best)) {
            best = both;
            found = candidates[i];
        }
    }
    if (found == NOBODY)
        return;
    covered = r->before[behind] - r->before[first]; /* then less the ends */
    if (during->start_ns > r->item[first].time.start_ns)
        covered -=
            (uint64_t)during->start_ns - (uint64_t)r->item[first].time.start_ns;
    if (r->item[behind - 1].time.end_ns > during->end_ns)
        covered -= (uint64_t)r->item[behind - 1].time.end_ns -
                   (uint64_t)during->end_ns;
    if (length(during) - covered > length(&best))
        return; /* in no call for longer */
    f->inquiry[f->inquiries++] = (struct inquiry){
        best,
        (int64_t)((uint64_t)best.start_ns + length(&best) / 2),
        r->item[found].id,
        number,
    };
}

/* ---- the calls within ---------------------------------------------------- */

static int compare_inquiries(const void *left, const void *right)
{
    const struct inquiry *a = left;
    const struct inquiry *b = right;

    if (a->root != b->root)
        return a->root < b->root ? -1 : 1;
    return (a->middle_ns > b->middle_ns) - (a->middle_ns < b->middle_ns);
}

/*
 * Answers an inquiry from the stack, on which is what runs in its middle: any
 * call that runs for more than half of the time runs then, and what is further
 * in runs no longer.
 */
static void answer(struct finding *f, const struct inquiry *q)
{
    uint32_t low = 0; /* the outermost call does */
    uint32_t high = f->depth;
    uint64_t half = length(&q->during) / 2;
    struct tt_interval both;

    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;

        both = common(&f->stack[middle].time, &q->during);
        if (length(&both) > half)
            low = middle;
        else
            high = middle;
    }
    both = common(&f->stack[low].time, &q->during);
    f->work[q->number].call = f->stack[low].id;
    f->work[q->number].ns = length(&both);
}

static enum t2t_status push(struct finding *f, const struct call *c,
                            struct t2t_error *err)
{
    if (!tt_vec_room(&f->stack, &f->stack_cap, f->depth, sizeof(*f->stack)))
        return tt_no_memory(err);
    f->stack[f->depth++] = *c;
    return T2T_OK;
}

/* Takes off what has ended by a time, but for the outermost call. */
static void pop_ended(struct finding *f, int64_t time_ns)
{
    while (f->depth > 1 && f->stack[f->depth - 1].time.end_ns <= time_ns)
        f->depth--;
}

/* Takes off the calls that node `id` is not in. */
static void pop_left(struct finding *f, t2t_id id)
{
    while (f->depth > 1 &&
           id - f->stack[f->depth - 1].id >= f->stack[f->depth - 1].size)
        f->depth--;
}

/* Answers the inquiries from `from` on, before `to`, with a middle before a
 * time, to which all calls are on the stack; the first of the others. */
static const struct inquiry *answer_until(struct finding *f,
                                          const struct inquiry *from,
                                          const struct inquiry *to,
                                          int64_t time_ns)
{
    for (; from < to && from->middle_ns < time_ns; from++) {
        pop_ended(f, from->middle_ns);
        answer(f, from);
    }
    return from;
}

/* Answers the inquiries from `from` up to `to`, which are by the middle and
 * have the outermost call `root` in common. */
static enum t2t_status go_down(struct finding *f, const struct call *root,
                               const struct inquiry *from,
                               const struct inquiry *to, struct t2t_error *err)
{
    t2t_id end = root->id + root->size;
    t2t_id id = next_host(f->index, root->id + 1, end);
    enum t2t_status st;

    f->depth = 0;
    st = push(f, root, err);
    while (!st && id < end) {
        const struct call *top;
        struct t2t_element e;
        struct call c;

        st = read_node(f->index, id, &e, err);
        if (st)
            break;
        from = answer_until(f, from, to, e.start_ns);
        if (from == to)
            return T2T_OK;
        pop_left(f, id);
        top = &f->stack[f->depth - 1];
        st = make_call(f->index, &e, top->id + top->size, top->time.end_ns, &c,
                       err);
        if (st)
            break;
        if (c.time.end_ns <= from->middle_ns) { /* nobody asks for it */
            id = next_host(f->index, id + c.size, end);
            continue;
        }
        st = push(f, &c, err);
        id = next_host(f->index, id + 1, end);
    }
    if (!st)
        (void)answer_until(f, from, to, INT64_MAX); /* all */
    return st;
}

/* Answers the inquiries of a lane. */
static enum t2t_status answer_all(struct finding *f, struct t2t_error *err)
{
    const struct roots *r = &f->roots;
    enum t2t_status st = T2T_OK;
    uint32_t root = 0;

    tt_sort_unsorted(f->inquiry, f->inquiries, sizeof(*f->inquiry),
                     compare_inquiries);
    for (uint32_t i = 0; !st && i < f->inquiries;) {
        uint32_t behind = i;

        while (behind < f->inquiries &&
               f->inquiry[behind].root == f->inquiry[i].root)
            behind++;
        while (r->item[root].id != f->inquiry[i].root)
            root++;
        st = go_down(f, &r->item[root], &f->inquiry[i], f->inquiry + behind,
                     err);
        i = behind;
    }
    return st;
}

/* A question by its lane. */
struct asked {
    uint32_t lane;
    uint32_t number;
};

static int compare_asked(const void *left, const void *right)
{
    const struct asked *a = left;
    const struct asked *b = right;

    if (a->lane != b->lane)
        return a->lane < b->lane ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* Answers the `count` questions about a lane. */
static enum t2t_status ask_lane(struct finding *f, const struct asked *asked,
                                uint32_t count, struct t2t_error *err)
{
    enum t2t_status st = read_roots(f, asked->lane, err);

    f->inquiries = 0;
    for (uint32_t i = 0; !st && i < count; i++)
        ask_roots(f, asked[i].number);
    if (!st)
        st = answer_all(f, err);
    release_roots(&f->roots);
    return st;
}

enum t2t_status tt_host_work_find(const t2t_index *index,
                                  struct tt_host_work *work, uint32_t count,
                                  struct t2t_error *err)
{
    struct finding f = {.index = index, .work = work};
    struct asked *asked = malloc(((size_t)count + 1) * sizeof(*asked));
    uint32_t kept = 0;
    enum t2t_status st = T2T_OK;

    f.inquiry = malloc(((size_t)count + 1) * sizeof(*f.inquiry));
    if (!asked || !f.inquiry)
        st = tt_no_memory(err);
    for (uint32_t i = 0; !st && i < count; i++) {
        work[i].call = T2T_NO_ID;
        work[i].ns = 0;
        if (work[i].lane != T2T_NO_ID)
            asked[kept++] = (struct asked){work[i].lane, i};
    }
    if (!st)
        tt_sort_unsorted(asked, kept, sizeof(*asked), compare_asked);
    for (uint32_t i = 0; !st && i < kept;) {
        uint32_t behind = i;

        while (behind < kept && asked[behind].lane == asked[i].lane)
            behind++;
        st = ask_lane(&f, &asked[i], behind - i, err);
        i = behind;
    }
    free(asked);
    free(f.inquiry);
    free(f.stack);
    return st;
}
