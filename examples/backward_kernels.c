/*
 * backward_kernels.c - the kernels that compute the gradients of an operation.
 *
 *     ./backward_kernels TRACE.t2t aten::convolution
 *
 * Prints each call of the operation that has a backward, with the sizes of its
 * arguments, and below it the GPU events of its backward with their durations.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <trace2tree/trace2tree.h>

/* What all functions here need. */
struct reader {
    t2t_index *index;
    t2t_cursor *cursor;
    struct t2t_error err;
};

/* Texts are not terminated and may hold anything. */
static void print_text(struct t2t_text text)
{
    t2t_text_print(stdout, text, T2T_ESCAPE_TERMINAL);
}

/* Prints why a call failed: what it left in `err` when it takes one. */
static void print_error(const char *path, enum t2t_status st,
                        const struct t2t_error *err)
{
    fprintf(stderr, "backward_kernels: %s: %s", path, t2t_status_text(st));
    if (err->code == st)
        fprintf(stderr, ": %s", err->text);
    fputc('\n', stderr);
}

/* Prints the name of an operation, its id and its argument "Input Dims". */
static enum t2t_status print_call(struct reader *r, const struct t2t_element *e)
{
    struct t2t_text dims;
    enum t2t_status st;

    print_text(t2t_index_string(r->index, e->name));
    printf(" (id %" PRIu32 ")", e->id);
    st = t2t_cursor_argument(r->cursor, e->id, "Input Dims", &dims, &r->err);
    if (!st) {
        fputs("  Input Dims ", stdout);
        print_text(dims);
    }
    putchar('\n');
    return st < 0 ? st : T2T_OK; /* above 0: it has no such argument */
}

/* Prints all GPU events below node `id`. */
static enum t2t_status print_gpu_events(struct reader *r, t2t_id id)
{
    uint32_t count = t2t_index_gpu_count(r->index, id);

    for (uint32_t n = 0; n < count; n++) {
        t2t_id gpu = t2t_index_gpu_event(r->index, id, n);
        struct t2t_element e;
        enum t2t_status st = t2t_index_element(r->index, gpu, &e);

        if (st)
            return st;
        printf("%10" PRIu64 ".%03u us  ", e.dur_ns / 1000,
               (unsigned)(e.dur_ns % 1000));
        print_text(t2t_index_string(r->index, e.name));
        putchar('\n');
    }
    return T2T_OK;
}

/*
 * Prints the backward of the call `e`.  The links to it begin at the call or at
 * an operation below it, so all of its subtree is looked at: the ids from its
 * own on, as many as its size.
 */
static enum t2t_status print_backward(struct reader *r,
                                      const struct t2t_element *e)
{
    enum t2t_status st = T2T_OK;
    bool printed = false;

    for (t2t_id id = e->id; !st && id < e->id + e->size; id++) {
        t2t_id b = t2t_index_backward(r->index, id, 0);

        for (uint32_t n = 1; !st && b != T2T_NO_ID; n++) {
            if (!printed)
                st = print_call(r, e);
            printed = true;
            if (!st)
                st = print_gpu_events(r, b);
            b = t2t_index_backward(r->index, id, n);
        }
    }
    return st;
}

/* Goes through the nodes named `name`.  What is inside a call that was printed
 * is not looked at again. */
static enum t2t_status print_all(struct reader *r, const char *name)
{
    struct t2t_index_info info;
    struct t2t_element e;
    uint32_t string;
    enum t2t_status st;
    t2t_id id;

    t2t_index_info(r->index, &info);
    st = t2t_index_find_string(r->index, t2t_text_of(name), &string);
    if (st)
        return st < 0 ? st : T2T_OK; /* above 0: there is none */
    for (id = t2t_index_next_named(r->index, string, 0); id < info.node_count;
         id = t2t_index_next_named(r->index, string, e.id + e.size)) {
        st = t2t_index_element(r->index, id, &e);
        if (!st)
            st = print_backward(r, &e);
        if (st)
            return st;
    }
    return T2T_OK;
}

int main(int argc, char **argv)
{
    struct reader r = {NULL, NULL, {T2T_OK, T2T_NO_OFFSET, ""}};
    enum t2t_status st;

    if (argc != 3) {
        fputs("usage: backward_kernels INDEX OPERATION\n", stderr);
        return 2;
    }
    st = t2t_index_open(&r.index, argv[1], &r.err);
    if (!st)
        st = t2t_cursor_open(&r.cursor, r.index, &r.err);
    if (!st)
        st = print_all(&r, argv[2]);
    if (st)
        print_error(argv[1], st, &r.err);
    t2t_cursor_close(r.cursor);
    t2t_index_close(r.index);
    return st || fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
