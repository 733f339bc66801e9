/*
 * steps.c - the GPU time of each recorded step, and the operations it went to.
 *
 *     ./steps TRACE.t2t
 *
 * A GPU event belongs to the step in which its launch starts, on whatever
 * thread, however late it ran; in the step it counts for the operation nearest
 * above it.  Times are sums of durations.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <trace2tree/trace2tree.h>

#define TOP 3

/* The GPU events of one step below the operations of one name. */
struct part {
    uint32_t step;   /* T2T_NO_STEP: none of them */
    uint32_t name;   /* string id; T2T_NO_ID: no operation above */
    uint64_t gpu_ns; /* sum of their durations */
};

/* By step, then by name. */
static int by_name(const void *left, const void *right)
{
    const struct part *a = left;
    const struct part *b = right;

    if (a->step != b->step)
        return a->step < b->step ? -1 : 1;
    return (a->name > b->name) - (a->name < b->name);
}

/* By step, then the most time first. */
static int by_time(const void *left, const void *right)
{
    const struct part *a = left;
    const struct part *b = right;

    if (a->step != b->step || a->gpu_ns == b->gpu_ns)
        return by_name(left, right);
    return a->gpu_ns < b->gpu_ns ? 1 : -1;
}

/* Makes one part of all of one step and name; returns how many are left. */
static size_t add_up(struct part *part, size_t count)
{
    size_t sums = 0;

    qsort(part, count, sizeof(*part), by_name);
    for (size_t i = 0; i < count; i++)
        if (sums && !by_name(&part[sums - 1], &part[i]))
            part[sums - 1].gpu_ns += part[i].gpu_ns;
        else
            part[sums++] = part[i];
    qsort(part, sums, sizeof(*part), by_time);
    return sums;
}

/* Fills `part` with one for each GPU event. */
static enum t2t_status look(const t2t_index *index, const t2t_steps *steps,
                            const t2t_id *gpu, uint32_t count,
                            struct part *part)
{
    for (uint32_t i = 0; i < count; i++) {
        t2t_id operation = t2t_index_above(index, gpu[i], T2T_LAYER_OPERATION);
        struct t2t_element e, above;
        enum t2t_status st = t2t_index_element(index, gpu[i], &e);

        if (!st && operation != T2T_NO_ID)
            st = t2t_index_element(index, operation, &above);
        if (st)
            return st;
        part[i].step = t2t_steps_of(steps, gpu[i]);
        part[i].name = operation == T2T_NO_ID ? T2T_NO_ID : above.name;
        part[i].gpu_ns = e.dur_ns;
    }
    return T2T_OK;
}

static void print_time(uint64_t ns)
{
    printf("%10" PRIu64 ".%03u us", ns / 1000, (unsigned)(ns % 1000));
}

/* Prints a step and the first of its parts, `count` of them. */
static void print_step(const t2t_index *index, const t2t_steps *steps,
                       const struct part *part, size_t count)
{
    struct t2t_step step;
    uint64_t sum_ns = 0;

    for (size_t i = 0; i < count; i++)
        sum_ns += part[i].gpu_ns;
    print_time(sum_ns);
    if (t2t_steps_at(steps, part->step, &step))
        puts("  in no step");
    else
        printf("  step %" PRIu64 "\n", step.number);
    for (size_t i = 0; i < count && i < TOP; i++) {
        print_time(part[i].gpu_ns);
        fputs("    ", stdout);
        if (part[i].name == T2T_NO_ID)
            fputs("(no operation)", stdout);
        t2t_text_print(stdout, t2t_index_string(index, part[i].name),
                       T2T_ESCAPE_TERMINAL);
        putchar('\n');
    }
}

static void print_steps(const t2t_index *index, const t2t_steps *steps,
                        const struct part *part, size_t count)
{
    size_t end;

    for (size_t i = 0; i < count; i = end) {
        for (end = i; end < count && part[end].step == part[i].step; end++)
            ;
        print_step(index, steps, part + i, end - i);
    }
}

int main(int argc, char **argv)
{
    struct t2t_error err = {T2T_OK, T2T_NO_OFFSET, ""};
    t2t_steps *steps = NULL;
    t2t_index *index = NULL;
    struct part *part = NULL;
    const t2t_id *gpu;
    uint32_t count;
    enum t2t_status st;

    if (argc != 2) {
        fputs("usage: steps INDEX\n", stderr);
        return 2;
    }
    st = t2t_index_open(&index, argv[1], &err);
    if (!st)
        st = t2t_steps_open(&steps, index, &err);
    if (!st) {
        gpu = t2t_index_gpu_nodes(index, &count);
        part = calloc((size_t)count + 1, sizeof(*part));
        st = part ? look(index, steps, gpu, count, part) : T2T_ERR_NO_MEMORY;
    }
    if (!st)
        print_steps(index, steps, part, add_up(part, count));
    else /* the text is of calls that were given `err` */
        fprintf(stderr, "steps: %s: %s%s%s\n", argv[1], t2t_status_text(st),
                err.code == st ? ": " : "", err.code == st ? err.text : "");
    free(part);
    t2t_steps_close(steps);
    t2t_index_close(index);
    return st || fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
