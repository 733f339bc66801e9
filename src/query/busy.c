/* busy.c - lengths of unions, also of many runs that lie in each other. */
#include "query/busy.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

/* Runs up to so long are gone through one by one. */
#define SHORT_RUN 32

/*
 * A long one mostly is a chain, as one stream does what it is given in order:
 * each interval begins at or after the end of the one before.  Then its busy
 * time is the sum of lengths.
 */
struct chains {
    uint64_t *ns;     /* lengths of the intervals before each, modulo 2^64, and
                         of all; owned */
    uint32_t *breaks; /* how many up to each begin too early; owned */
};

/*
 * For those that are none, all intervals are painted over each other in order,
 * and runs are asked for by their ends: what a run covers is what has been
 * painted by one of its intervals, last.  `color` is a segment tree over the
 * pieces of time between the ends of intervals, and `length` a Fenwick tree:
 * how much of the time each interval has on top.  A painting makes the pieces
 * it covers one, so all of them together take O(n log n).
 */
struct painting {
    int64_t *edge; /* starts and ends, ascending, each once; owned */
    uint32_t edge_count;
    uint32_t
        *color; /* of a node: 1 + the interval on top, NONE, MIXED; owned */
    uint64_t *length; /* owned */
    uint32_t count;   /* of intervals */
    uint64_t total;   /* painted time */
};

#define NONE 0
#define MIXED UINT32_MAX

static int compare_intervals(const void *left, const void *right)
{
    const struct tt_interval *a = left;
    const struct tt_interval *b = right;

    return (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
}

uint64_t tt_busy(struct tt_interval *v, uint32_t count)
{
    struct tt_cover cover = {0};
    bool sorted = true;

    for (uint32_t i = 1; sorted && i < count; i++)
        sorted = v[i - 1].start_ns <= v[i].start_ns;
    if (!sorted)
        qsort(v, count, sizeof(*v), compare_intervals);
    for (uint32_t i = 0; i < count; i++)
        tt_cover_add(&cover, &v[i]);
    return cover.ns;
}

static int compare_times(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left;
    int64_t b = *(const int64_t *)right;

    return (a > b) - (a < b);
}

static int compare_ends(const void *left, const void *right)
{
    const struct tt_run *a = *(struct tt_run *const *)left;
    const struct tt_run *b = *(struct tt_run *const *)right;
    uint64_t a_end = (uint64_t)a->first + a->count;
    uint64_t b_end = (uint64_t)b->first + b->count;

    return (a_end > b_end) - (a_end < b_end);
}

static void add_length(struct painting *p, uint32_t color, uint64_t ns)
{
    for (uint32_t i = color; i <= p->count; i += i & -i)
        p->length[i] += ns; /* modulo 2^64: what is taken off is added so */
    p->total += ns;
}

/* How much the intervals before number `first` have on top. */
static uint64_t length_before(const struct painting *p, uint32_t first)
{
    uint64_t ns = 0;

    for (uint32_t i = first; i; i -= i & -i)
        ns += p->length[i];
    return ns;
}

/* A part of the tree: its node, and the pieces it is about. */
struct part {
    size_t node;
    uint32_t low;
    uint32_t high;
};

/* Paints the pieces [from, to) of a part in `color`.  Goes no deeper than the
 * tree is, 33 levels. */
static void paint(struct painting *p, struct part at, uint32_t from,
                  uint32_t to, uint32_t color)
{
    uint32_t *own = &p->color[at.node];
    uint32_t middle = at.low + (at.high - at.low) / 2;
    bool whole = from <= at.low && at.high <= to;
    uint64_t ns;

    if (to <= at.low || at.high <= from)
        return;
    if (whole && *own != MIXED) {
        ns = (uint64_t)p->edge[at.high] - (uint64_t)p->edge[at.low];
        if (*own != NONE)
            add_length(p, *own, 0 - ns);
        add_length(p, color, ns);
        *own = color;
        return;
    }
    if (*own != MIXED) {
        p->color[2 * at.node] = *own;
        p->color[2 * at.node + 1] = *own;
        *own = MIXED;
    }
    paint(p, (struct part){2 * at.node, at.low, middle}, from, to, color);
    paint(p, (struct part){2 * at.node + 1, middle, at.high}, from, to, color);
    if (whole)
        *own = color;
}

static uint32_t find_edge(const struct painting *p, int64_t time_ns)
{
    const int64_t *found = bsearch(&time_ns, p->edge, p->edge_count,
                                   sizeof(*p->edge), compare_times);

    return found ? (uint32_t)(found - p->edge) : 0;
}

static enum t2t_status
painting_init(struct painting *p, const struct tt_interval *v, uint32_t count)
{
    size_t edges = 0;
    uint32_t kept = 0;
    size_t nodes = 4;

    *p = (struct painting){.count = count};
    p->edge = malloc(((size_t)count * 2 + 1) * sizeof(*p->edge));
    p->length = calloc((size_t)count + 1, sizeof(*p->length));
    if (!p->edge || !p->length)
        return T2T_ERR_NO_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        p->edge[edges++] = v[i].start_ns;
        p->edge[edges++] = v[i].end_ns;
    }
    qsort(p->edge, edges, sizeof(*p->edge), compare_times);
    for (size_t i = 0; i < edges; i++)
        if (!kept || p->edge[kept - 1] != p->edge[i])
            p->edge[kept++] = p->edge[i];
    p->edge_count = kept;
    while (nodes < 4 * (size_t)kept)
        nodes *= 2;
    p->color = calloc(nodes, sizeof(*p->color));
    return p->color ? T2T_OK : T2T_ERR_NO_MEMORY;
}

static void painting_release(struct painting *p)
{
    free(p->edge);
    free(p->color);
    free(p->length);
}

/* Paints the intervals of a span of runs, which come by their ends. */
static enum t2t_status paint_runs(const struct tt_interval *v, uint32_t count,
                                  struct tt_run **run, uint32_t run_count)
{
    struct painting p;
    uint32_t next = 0;
    enum t2t_status st = painting_init(&p, v, count);

    for (uint32_t i = 0; !st && i < run_count; i++) {
        for (; next < run[i]->first + run[i]->count; next++)
            if (v[next].start_ns < v[next].end_ns)
                paint(&p, (struct part){1, 0, p.edge_count - 1},
                      find_edge(&p, v[next].start_ns),
                      find_edge(&p, v[next].end_ns), next + 1);
        run[i]->busy_ns = p.total - length_before(&p, run[i]->first);
    }
    painting_release(&p);
    return st;
}

static void chains_release(struct chains *c)
{
    free(c->ns);
    free(c->breaks);
}

static enum t2t_status chains_init(struct chains *c,
                                   const struct tt_interval *v, uint32_t count)
{
    c->ns = malloc(((size_t)count + 1) * sizeof(*c->ns));
    c->breaks = malloc(((size_t)count + 1) * sizeof(*c->breaks));
    if (!c->ns || !c->breaks)
        return T2T_ERR_NO_MEMORY;
    c->ns[0] = 0;
    c->breaks[0] = 0;
    for (uint32_t i = 0; i < count; i++) {
        c->ns[i + 1] =
            c->ns[i] + ((uint64_t)v[i].end_ns - (uint64_t)v[i].start_ns);
        if (i)
            c->breaks[i] = c->breaks[i - 1] + (v[i].start_ns < v[i - 1].end_ns);
    }
    return T2T_OK;
}

/* Finds the busy time of a run, not empty, if it is a chain. */
static bool busy_chain(const struct chains *c, struct tt_run *run)
{
    uint32_t last = run->first + run->count - 1;

    if (c->breaks[last] != c->breaks[run->first])
        return false;
    run->busy_ns = c->ns[last + 1] - c->ns[run->first];
    return true;
}

/* Measures those that are chains, then the others. */
static enum t2t_status measure_long_runs(const struct tt_interval *v,
                                         uint32_t count, struct tt_run **run,
                                         uint32_t run_count)
{
    struct chains c = {NULL, NULL};
    uint32_t kept = 0;
    enum t2t_status st = chains_init(&c, v, count);

    for (uint32_t i = 0; !st && i < run_count; i++)
        if (!busy_chain(&c, run[i]))
            run[kept++] = run[i];
    chains_release(&c);
    if (st || !kept)
        return st;
    qsort(run, kept, sizeof(struct tt_run *), compare_ends);
    return paint_runs(v, count, run, kept);
}

enum t2t_status tt_busy_runs(const struct tt_interval *v, uint32_t count,
                             struct tt_run *run, uint32_t run_count,
                             struct t2t_error *err)
{
    struct tt_run **runs =
        malloc(((size_t)run_count + 1) * sizeof(struct tt_run *));
    struct tt_interval few[SHORT_RUN];
    uint32_t long_count = 0;
    enum t2t_status st = T2T_OK;

    if (!runs)
        return tt_no_memory(err);
    for (uint32_t i = 0; i < run_count; i++) {
        if (run[i].count > SHORT_RUN) {
            runs[long_count++] = &run[i];
            continue;
        }
        if (run[i].count)
            memcpy(few, v + run[i].first, run[i].count * sizeof(*few));
        run[i].busy_ns = tt_busy(few, run[i].count);
    }
    if (long_count)
        st = measure_long_runs(v, count, runs, long_count);
    free(runs);
    if (st)
        return tt_error(err, st, TT_NO_OFFSET, "out of memory");
    return T2T_OK;
}
