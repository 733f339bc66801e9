/*
 * top_operations.c - the ten operations with the most GPU time of an index.
 *
 *     cc top_operations.c -o top_operations \
 *         $(pkg-config --cflags --libs libtrace2tree)
 *     t2t build TRACE
 *     ./top_operations TRACE.t2t
 *
 * A GPU event counts for the operation nearest above its launch, so that none
 * counts twice: aten::addmm has the time of its kernels, and aten::linear,
 * which called it, has not.  Times are sums of durations; where streams run
 * side by side they may be more than the clock showed.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <trace2tree/trace2tree.h>

#define TOP 10

/* What the operations of one name did. */
struct total {
    uint64_t gpu_ns; /* sum of the durations of their GPU events */
    uint32_t events; /* how many GPU events */
    uint32_t name;   /* string id; T2T_NO_ID: no operation above */
};

static int fail(const char *path, const struct t2t_error *err)
{
    fprintf(stderr, "top_operations: %s: %s: %s\n", path,
            t2t_status_text(err->code), err->text);
    return EXIT_FAILURE;
}

/*
 * Sets `*name` to the name of the operation nearest above node `id`.  T2T_NO_ID
 * when there is none: a GPU event whose launch the trace does not show, or a
 * launch from outside of PyTorch.
 */
static enum t2t_status operation_above(const t2t_index *index, t2t_id id,
                                       uint32_t *name)
{
    t2t_id operation = t2t_index_above(index, id, T2T_LAYER_OPERATION);
    struct t2t_element e;
    enum t2t_status st;

    *name = T2T_NO_ID;
    if (operation == T2T_NO_ID)
        return T2T_OK;
    st = t2t_index_element(index, operation, &e);
    if (!st)
        *name = e.name;
    return st;
}

/* Adds each GPU event to the total of its operation: one for each string of
 * the index, by its id, and one for no operation behind them. */
static enum t2t_status add_up(const t2t_index *index, struct total *totals,
                              uint32_t string_count)
{
    uint32_t count;
    const t2t_id *gpu = t2t_index_gpu_nodes(index, &count);

    for (uint32_t i = 0; i < count; i++) {
        struct t2t_element e;
        uint32_t name = T2T_NO_ID;
        enum t2t_status st = t2t_index_element(index, gpu[i], &e);

        if (!st)
            st = operation_above(index, gpu[i], &name);
        if (st)
            return st;
        if (name > string_count)
            name = string_count;
        totals[name].gpu_ns += e.dur_ns;
        totals[name].events++;
    }
    return T2T_OK;
}

/* The most time first, and what has no GPU event behind what has. */
static int by_time(const void *left, const void *right)
{
    const struct total *a = left;
    const struct total *b = right;

    if (a->gpu_ns != b->gpu_ns)
        return a->gpu_ns < b->gpu_ns ? 1 : -1;
    if (a->events != b->events)
        return a->events < b->events ? 1 : -1;
    return (a->name > b->name) - (a->name < b->name);
}

/* Names are not terminated and may hold anything. */
static void print_name(struct t2t_text name)
{
    if (!name.ptr)
        fputs("(no operation)", stdout);
    t2t_text_print(stdout, name, T2T_ESCAPE_TERMINAL);
    putchar('\n');
}

static void print_top(const t2t_index *index, const struct total *totals,
                      size_t count)
{
    uint64_t all_ns = 0;
    uint32_t events = 0;

    for (size_t i = 0; i < count; i++) {
        all_ns += totals[i].gpu_ns;
        events += totals[i].events;
    }

    printf("%14s %7s %8s  %s\n", "GPU time (us)", "share", "events",
           "operation");
    for (size_t i = 0; i < TOP && i < count && totals[i].events; i++) {
        printf("%10" PRIu64 ".%03u %6.1f%% %8" PRIu32 "  ",
               totals[i].gpu_ns / 1000, (unsigned)(totals[i].gpu_ns % 1000),
               all_ns ? 100.0 * (double)totals[i].gpu_ns / (double)all_ns : 0,
               totals[i].events);
        print_name(t2t_index_string(index, totals[i].name));
    }
    printf("%10" PRIu64 ".%03u %6.1f%% %8" PRIu32 "  all GPU events\n",
           all_ns / 1000, (unsigned)(all_ns % 1000), 100.0, events);
}

int main(int argc, char **argv)
{
    struct t2t_index_info info;
    struct t2t_error err;
    struct total *totals;
    t2t_index *index;
    enum t2t_status st;
    size_t count;

    if (argc != 2) {
        fputs("usage: top_operations INDEX\n", stderr);
        return 2;
    }
    if (t2t_index_open(&index, argv[1], &err))
        return fail(argv[1], &err);
    t2t_index_info(index, &info);

    count = (size_t)info.string_count + 1;
    totals = calloc(count, sizeof(*totals));
    if (!totals) {
        t2t_index_close(index);
        fputs("top_operations: out of memory\n", stderr);
        return EXIT_FAILURE;
    }
    for (uint32_t i = 0; i < info.string_count; i++)
        totals[i].name = i;
    totals[info.string_count].name = T2T_NO_ID;

    st = add_up(index, totals, info.string_count);
    if (!st) {
        qsort(totals, count, sizeof(*totals), by_time);
        print_top(index, totals, count);
    } else {
        fprintf(stderr, "top_operations: %s: %s\n", argv[1],
                t2t_status_text(st));
    }
    free(totals);
    t2t_index_close(index);
    return st || fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
