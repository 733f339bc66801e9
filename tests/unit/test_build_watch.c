/* test_build_watch.c - trace2tree/build.h: progress, cancel, t2t_build_from().
 */
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define FILE_PATH "unused"
#include "build_files.h"

#include <uv.h>

#include <trace2tree/build.h>

#define COUNT(table) (sizeof(table) / sizeof(*(table)))
#define LATE_MS 3000 /* so long a canceled build may take on a busy machine */

static void assert_file(const char *path, struct bytes want)
{
    struct bytes got = read_whole(path);

    assert_int_equal(got.len, want.len);
    assert_memory_equal(got.ptr, want.ptr, want.len);
    free(got.ptr);
}

/* ---- a caller's function ------------------------------------------------- */

/* Bytes given by a function, `step` at a time. */
struct giver {
    struct bytes bytes;
    size_t at;
    size_t step;
    int64_t last; /* what it answers at the end */
    uv_thread_t thread;
    unsigned calls;
    bool ended;
};

static int64_t give(void *context, void *buf, size_t cap)
{
    struct giver *g = context;
    size_t left = g->bytes.len - g->at;
    size_t n = left < cap ? left : cap;
    uv_thread_t self = uv_thread_self();

    assert_false(g->ended);
    if (!g->calls++)
        g->thread = self;
    assert_true(uv_thread_equal(&self, &g->thread));
    n = n < g->step ? n : g->step;
    if (n)
        memcpy(buf, g->bytes.ptr + g->at, n);
    g->at += n;
    g->ended = n == 0;
    return n ? (int64_t)n : g->last;
}

/* The index of bytes that come through a pipe. */
static struct bytes index_of_pipe(struct bytes b)
{
    int saved = dup(STDIN_FILENO);
    struct bytes index;
    int ends[2];
    int child;

    assert_true(saved >= 0);
    assert_int_equal(pipe(ends), 0);
    child = fork();
    assert_true(child >= 0);
    if (!child) {
        (void)close(ends[0]);
        write_all(ends[1], b.ptr, b.len, b.len);
        _exit(0);
    }
    (void)close(ends[1]);
    assert_true(dup2(ends[0], STDIN_FILENO) >= 0);
    (void)close(ends[0]);
    assert_int_equal(t2t_build("-", index_path(), NULL, NULL, NULL), T2T_OK);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_true(dup2(saved, STDIN_FILENO) >= 0);
    (void)close(saved);
    index = read_whole(index_path());
    assert_int_equal(remove(index_path()), 0);
    return index;
}

static void test_a_function_gives_the_index_that_a_pipe_gives(void **state)
{
    static const size_t steps[] = {1, 7, 4096, SIZE_MAX};
    struct bytes text = make_trace(3000);

    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        struct bytes b = pack((enum kind)kind, text.ptr, text.len);
        struct bytes want = index_of_pipe(b);

        for (size_t i = 0; i < COUNT(steps); i++) {
            struct giver g = {.bytes = b, .step = steps[i]};
            struct t2t_build_result result;
            uv_thread_t self = uv_thread_self();

            assert_int_equal(t2t_build_from(give, &g, index_path(), NULL,
                                            &result, NULL),
                             T2T_OK);
            assert_true(g.ended);
            assert_false(uv_thread_equal(&self, &g.thread));
            assert_int_equal(result.source_bytes, b.len);
            assert_int_equal(result.document_bytes, text.len);
            assert_int_equal(result.element_count, 3000);
            assert_file(index_path(), want);
            assert_int_equal(remove(index_path()), 0);
        }
        free(want.ptr);
        free(b.ptr);
    }
    free(text.ptr);
}

static int64_t give_too_much(void *context, void *buf, size_t cap)
{
    (void)context;
    memset(buf, ' ', cap);
    return (int64_t)cap + 1;
}

static void test_a_function_that_fails_ends_the_build(void **state)
{
    struct bytes text = make_trace(3000);
    struct t2t_error err;

    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        struct bytes b = pack((enum kind)kind, text.ptr, text.len);

        for (size_t len = 0; len < b.len; len += 1 + b.len / 5) {
            struct giver g = {.bytes = {b.ptr, len, len},
                              .step = 1000,
                              .last = -1};

            assert_int_equal(t2t_build_from(give, &g, index_path(), NULL, NULL,
                                            &err),
                             T2T_ERR_IO);
            assert_string_equal(err.text, "the caller's function cannot read");
            assert_true(g.ended);
            assert_int_equal(count_files(&scratch), 0);
        }
        free(b.ptr);
    }
    assert_int_equal(t2t_build_from(give_too_much, NULL, index_path(), NULL,
                                    NULL, &err),
                     T2T_ERR_USAGE);
    assert_int_equal(count_files(&scratch), 0);
    free(text.ptr);
}

static void test_what_a_function_gives_is_judged_as_a_file_is(void **state)
{
    struct giver none = {.bytes = {NULL, 0, 0}, .step = 1};
    struct giver cut = {.bytes = make_trace(3000), .step = 999};
    struct t2t_error err;

    (void)state;
    none.bytes.ptr = cut.bytes.ptr;
    assert_int_equal(t2t_build_from(give, &none, index_path(), NULL, NULL,
                                    &err),
                     T2T_ERR_TRUNCATED);
    cut.bytes.len -= 100;
    assert_int_equal(t2t_build_from(give, &cut, index_path(), NULL, NULL, &err),
                     T2T_ERR_TRUNCATED);
    assert_int_equal(err.offset, cut.bytes.len);
    assert_int_equal(count_files(&scratch), 0);
    free(cut.bytes.ptr);
}

/* ---- progress ------------------------------------------------------------ */

/* What the watcher saw, and when it cancels. */
struct watcher {
    struct t2t_build_progress first;
    struct t2t_build_progress last;
    uv_thread_t thread;
    unsigned calls;
    unsigned phases;        /* bits */
    unsigned cancel_call;   /* from 1; 0: never */
    unsigned cancel_phases; /* bits: cancels in the first of them */
    bool canceled;
};

static bool look(void *context, const struct t2t_build_progress *p)
{
    struct watcher *w = context;
    uv_thread_t self = uv_thread_self();

    assert_true(uv_thread_equal(&self, &w->thread));
    assert_false(w->canceled);
    assert_true(p->phase >= w->last.phase);
    assert_true(p->source_bytes >= w->last.source_bytes);
    assert_true(p->document_bytes >= w->last.document_bytes);
    assert_true(p->element_count >= w->last.element_count);
    assert_true(!p->source_total || p->source_bytes <= p->source_total);
    if (!w->calls)
        w->first = *p;
    w->last = *p;
    w->phases |= 1U << p->phase;
    w->calls++;
    w->canceled =
        w->calls == w->cancel_call || (w->cancel_phases & 1U << p->phase);
    return !w->canceled;
}

static struct t2t_build_options watched(struct watcher *w)
{
    w->thread = uv_thread_self();
    return (struct t2t_build_options){.workers = 2,
                                      .watch = look,
                                      .watch_context = w};
}

/* Where the bytes of a build come from. */
enum way { BY_FILE, BY_FIFO, BY_FUNCTION, WAYS };

/* A build of `b`, by a way. */
static enum t2t_status build(enum way way, struct bytes b, struct watcher *w,
                             struct t2t_error *err)
{
    struct t2t_build_options options = watched(w);
    struct giver g = {.bytes = b, .step = 65536};
    enum t2t_status st;
    int child = 0;

    if (way == BY_FUNCTION)
        return t2t_build_from(give, &g, index_path(), &options, NULL, err);
    if (way == BY_FILE) {
        write_file(trace_path(), b);
    } else {
        assert_int_equal(mkfifo(trace_path(), 0600), 0);
        child = fork();
        assert_true(child >= 0);
        if (!child) {
            int fd = open(trace_path(), O_WRONLY);

            (void)signal(SIGPIPE, SIG_DFL);
            write_all(fd, b.ptr, b.len, b.len);
            _exit(0);
        }
    }
    st = t2t_build(trace_path(), index_path(), &options, NULL, err);
    if (child) { /* it may wait for somebody to open */
        (void)kill(child, SIGKILL);
        assert_int_equal(waitpid(child, NULL, 0), child);
    }
    assert_int_equal(remove(trace_path()), 0);
    return st;
}

static void test_progress_ends_with_all_there_is(void **state)
{
    struct bytes text = make_trace(20000);

    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        struct bytes b = pack((enum kind)kind, text.ptr, text.len);

        for (int way = 0; way < WAYS; way++) {
            struct watcher w = {.calls = 0};

            assert_int_equal(build((enum way)way, b, &w, NULL), T2T_OK);
            assert_int_equal(w.phases, 15);
            assert_in_range(w.calls, 5, 1000);
            assert_int_equal(w.first.document_bytes, 0);
            if (way == BY_FILE && kind == PLAIN)
                assert_int_equal(w.first.source_bytes, 0);
            assert_int_equal(w.last.source_bytes, b.len);
            assert_int_equal(w.last.source_total, way == BY_FILE ? b.len : 0);
            assert_int_equal(w.last.document_bytes, text.len);
            assert_int_equal(w.last.element_count, 20000);
            assert_int_equal(remove(index_path()), 0);
            assert_int_equal(count_files(&scratch), 0);
        }
        free(b.ptr);
    }
    free(text.ptr);
}

/* ---- cancel -------------------------------------------------------------- */

static void assert_canceled(enum t2t_status st, const struct t2t_error *err)
{
    struct bytes old = {(unsigned char *)"old", 3, 3};

    assert_int_equal(st, T2T_ERR_CANCELED);
    assert_int_equal(err->code, T2T_ERR_CANCELED);
    assert_int_equal(err->offset, T2T_NO_OFFSET);
    assert_file(index_path(), old);
    assert_int_equal(count_files(&scratch), 1);
}

static void write_old(void)
{
    write_file(index_path(), (struct bytes){(unsigned char *)"old", 3, 3});
}

static void test_a_build_is_canceled_in_any_phase(void **state)
{
    struct bytes text = make_trace(20000);

    (void)state;
    write_old();
    for (int kind = 0; kind < KINDS; kind++) {
        struct bytes b = pack((enum kind)kind, text.ptr, text.len);

        for (int way = 0; way < WAYS; way++) {
            for (unsigned phase = 0; phase <= T2T_SYNCING; phase++) {
                struct watcher w = {.cancel_phases = 1U << phase};
                struct t2t_error err;

                assert_canceled(build((enum way)way, b, &w, &err), &err);
                assert_true(w.canceled);
                assert_int_equal(w.last.phase, phase);
            }
        }
        free(b.ptr);
    }
    assert_int_equal(remove(index_path()), 0);
    free(text.ptr);
}

static void test_the_last_call_can_cancel_too(void **state)
{
    struct bytes text = make_trace(100);
    struct watcher all = {.calls = 0};

    (void)state;
    assert_int_equal(build(BY_FILE, text, &all, NULL), T2T_OK);
    write_old();
    for (unsigned call = 1; call <= all.calls; call++) {
        struct watcher w = {.cancel_call = call};
        struct t2t_error err;

        assert_canceled(build(BY_FILE, text, &w, &err), &err);
        assert_int_equal(w.calls, call);
    }
    assert_int_equal(remove(index_path()), 0);
    free(text.ptr);
}

/* ---- input that does not come -------------------------------------------- */

static void assert_soon(uint64_t start_ns)
{
    assert_in_range((uv_hrtime() - start_ns) / 1000000, 0, LATE_MS);
}

/* Opened by the test for reading and writing, a named pipe never ends. */
static int open_silent_pipe(struct bytes b, size_t len)
{
    int fd;

    assert_int_equal(mkfifo(trace_path(), 0600), 0);
    fd = open(trace_path(), O_RDWR);
    assert_true(fd >= 0);
    write_all(fd, b.ptr, len, len);
    return fd;
}

static void test_a_pipe_without_data_is_canceled(void **state)
{
    struct bytes text = make_trace(300);

    (void)state;
    write_old();
    for (int kind = 0; kind < KINDS; kind++) {
        struct bytes b = pack((enum kind)kind, text.ptr, text.len);

        for (size_t len = 0; len < b.len; len += len ? 1 + b.len / 3 : 2) {
            struct watcher w = {.cancel_call = 3};
            struct t2t_build_options options = watched(&w);
            int fd = open_silent_pipe(b, len);
            uint64_t start_ns = uv_hrtime();
            struct t2t_error err;
            enum t2t_status st =
                t2t_build(trace_path(), index_path(), &options, NULL, &err);

            assert_soon(start_ns);
            assert_int_equal(remove(trace_path()), 0);
            assert_canceled(st, &err);
            assert_int_equal(w.last.phase, T2T_READING);
            (void)close(fd);
        }
        free(b.ptr);
    }
    assert_int_equal(remove(index_path()), 0);
    free(text.ptr);
}

static void test_a_pipe_that_nobody_writes_into_is_canceled(void **state)
{
    struct watcher w = {.cancel_call = 2};
    struct t2t_build_options options = watched(&w);
    uint64_t start_ns = uv_hrtime();
    struct t2t_error err;

    (void)state;
    assert_int_equal(mkfifo(trace_path(), 0600), 0);
    assert_int_equal(t2t_build(trace_path(), index_path(), &options, NULL,
                               &err),
                     T2T_ERR_CANCELED);
    assert_soon(start_ns);
    assert_int_equal(remove(trace_path()), 0);
    assert_int_equal(count_files(&scratch), 0);
}

/* A function that waits until the watcher has canceled. */
struct waiter {
    struct watcher watcher;
    uv_mutex_t lock;
    uv_cond_t canceled;
    bool is_canceled; /* guarded by `lock` */
};

static int64_t wait_for_cancel(void *context, void *buf, size_t cap)
{
    struct waiter *w = context;

    (void)buf;
    (void)cap;
    uv_mutex_lock(&w->lock);
    while (!w->is_canceled)
        uv_cond_wait(&w->canceled, &w->lock);
    uv_mutex_unlock(&w->lock);
    return 0;
}

static bool look_and_wake(void *context, const struct t2t_build_progress *p)
{
    struct waiter *w = context;

    if (look(&w->watcher, p))
        return true;
    uv_mutex_lock(&w->lock);
    w->is_canceled = true;
    uv_cond_signal(&w->canceled);
    uv_mutex_unlock(&w->lock);
    return false;
}

static void test_a_function_that_waits_is_waited_for(void **state)
{
    struct waiter w = {.watcher = {.cancel_call = 2}};
    struct t2t_build_options options = watched(&w.watcher);
    struct t2t_error err;

    (void)state;
    options.watch = look_and_wake;
    options.watch_context = &w;
    assert_int_equal(uv_mutex_init(&w.lock), 0);
    assert_int_equal(uv_cond_init(&w.canceled), 0);
    assert_int_equal(t2t_build_from(wait_for_cancel, &w, index_path(), &options,
                                    NULL, &err),
                     T2T_ERR_CANCELED);
    assert_int_equal(w.watcher.calls, 2);
    assert_int_equal(count_files(&scratch), 0);
    uv_cond_destroy(&w.canceled);
    uv_mutex_destroy(&w.lock);
}

/* What a function that was told to stop may answer. */
static const struct {
    const char *bytes; /* the first thing it gives */
    int64_t then;
} leaving[] = {
    {"{\"traceEvents\":[", -1},   {"{\"traceEvents\":[", 0},
    {"{\"traceEvents\":[}", 0},   {"{\"traceEvents\":[]}", 0},
    {"{\"traceEvents\":[]}", -1}, {"\x1f\x8b\x08", 0},
    {"\x28\xb5\x2f\xfd", -1},     {"no trace", 0},
};

/* A flag that stops both functions, as a handler of Ctrl-C would set it. */
struct flagged {
    struct giver giver;
    atomic_bool stop;
    atomic_bool told; /* the watch has said no */
    bool said_no;
};

/* Sets the flag itself and leaves at once, before the watch is asked again. */
static int64_t give_and_stop(void *context, void *buf, size_t cap)
{
    struct flagged *f = context;
    size_t left = f->giver.bytes.len - f->giver.at;

    if (!left)
        atomic_store(&f->stop, true);
    return give(&f->giver, buf, cap);
}

/* Gives what is left only when the watch has said no. */
static int64_t give_when_canceled(void *context, void *buf, size_t cap)
{
    struct flagged *f = context;

    atomic_store(&f->stop, true);
    while (!atomic_load(&f->told))
        uv_sleep(1);
    return give(&f->giver, buf, cap);
}

static bool look_at_flag(void *context, const struct t2t_build_progress *p)
{
    struct flagged *f = context;

    (void)p;
    assert_false(f->said_no);
    f->said_no = atomic_load(&f->stop);
    atomic_store(&f->told, f->said_no);
    return !f->said_no;
}

static void test_a_function_may_leave_as_it_likes_when_canceled(void **state)
{
    t2t_build_read *const reads[] = {give_and_stop, give_when_canceled};

    (void)state;
    for (size_t k = 0; k < COUNT(reads); k++)
        for (size_t i = 0; i < COUNT(leaving); i++) {
            size_t len = strlen(leaving[i].bytes);
            struct flagged f = {
                .giver = {.bytes = take(leaving[i].bytes, len),
                          .step = SIZE_MAX,
                          .last = leaving[i].then},
            };
            struct t2t_build_options options = {.workers = 1,
                                                .watch = look_at_flag,
                                                .watch_context = &f};
            struct t2t_error err;

            assert_int_equal(t2t_build_from(reads[k], &f, index_path(),
                                            &options, NULL, &err),
                             T2T_ERR_CANCELED);
            assert_int_equal(err.code, T2T_ERR_CANCELED);
            assert_string_equal(err.text, "canceled");
            assert_true(f.said_no);
            assert_int_equal(count_files(&scratch), 0);
            free(f.giver.bytes.ptr);
        }
}

static void test_a_failure_that_nobody_canceled_is_told(void **state)
{
    struct flagged f = {.giver = {.step = 1, .last = -1}};
    struct t2t_build_options options = {.watch = look_at_flag,
                                        .watch_context = &f};
    struct t2t_error err;

    (void)state;
    assert_int_equal(t2t_build_from(give, &f.giver, index_path(), &options,
                                    NULL, &err),
                     T2T_ERR_IO);
    assert_int_equal(err.code, T2T_ERR_IO);
}

static bool look_at_total(void *context, const struct t2t_build_progress *p)
{
    uint64_t *total = context;

    assert_true(*total == 0 || *total == p->source_total);
    *total = p->source_total;
    return true;
}

static void test_a_caller_can_say_how_many_bytes_come(void **state)
{
    struct bytes text = make_trace(100);
    struct giver g = {.bytes = text, .step = 1000};
    uint64_t total = 0;
    struct t2t_build_options options = {.watch = look_at_total,
                                        .watch_context = &total,
                                        .source_total = 12345};

    (void)state;
    assert_int_equal(t2t_build_from(give, &g, index_path(), &options, NULL,
                                    NULL),
                     T2T_OK);
    assert_int_equal(total, 12345);
    /* a file tells itself */
    write_file(trace_path(), text);
    total = 0;
    assert_int_equal(t2t_build(trace_path(), index_path(), &options, NULL,
                               NULL),
                     T2T_OK);
    assert_int_equal(total, text.len);
    assert_int_equal(remove(trace_path()), 0);
    assert_int_equal(remove(index_path()), 0);
    free(text.ptr);
}

static void test_phases_have_words(void **state)
{
    (void)state;
    assert_string_equal(t2t_build_phase_text(T2T_READING), "reading");
    assert_string_equal(t2t_build_phase_text(T2T_TREE), "making the tree");
    assert_string_equal(t2t_build_phase_text(T2T_WRITING), "writing the index");
    assert_string_equal(t2t_build_phase_text(T2T_SYNCING),
                        "waiting for the disk");
    assert_string_equal(t2t_build_phase_text((enum t2t_build_phase)9),
                        "unknown");
}

/* Nobody cancels: the text is bad, and the pipe does not end. */
static void test_bad_text_does_not_wait_for_the_rest_of_a_pipe(void **state)
{
    static const char *const bad[] = {"{\"traceEvents\":[{}}",
                                      "{\"traceEvents\""
                                      "!"};

    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++) {
        struct bytes b = make_trace(3000);
        struct t2t_error err;
        int fd;

        /* more than a chunk behind it: then it is looked at */
        memcpy(b.ptr, bad[i], strlen(bad[i]));
        fd = open_silent_pipe(b, 0);
        (void)fcntl(fd, F_SETPIPE_SZ, 1 << 20);
        write_all(fd, b.ptr, b.len, b.len);
        assert_int_equal(t2t_build(trace_path(), index_path(), NULL, NULL,
                                   &err),
                         T2T_ERR_JSON_SYNTAX);
        assert_int_equal(err.offset, strlen(bad[i]) - 1);
        (void)close(fd);
        assert_int_equal(remove(trace_path()), 0);
        free(b.ptr);
    }
    assert_int_equal(count_files(&scratch), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_function_gives_the_index_that_a_pipe_gives),
        cmocka_unit_test(test_a_function_that_fails_ends_the_build),
        cmocka_unit_test(test_what_a_function_gives_is_judged_as_a_file_is),
        cmocka_unit_test(test_progress_ends_with_all_there_is),
        cmocka_unit_test(test_a_build_is_canceled_in_any_phase),
        cmocka_unit_test(test_the_last_call_can_cancel_too),
        cmocka_unit_test(test_a_pipe_without_data_is_canceled),
        cmocka_unit_test(test_a_pipe_that_nobody_writes_into_is_canceled),
        cmocka_unit_test(test_a_function_that_waits_is_waited_for),
        cmocka_unit_test(test_a_function_may_leave_as_it_likes_when_canceled),
        cmocka_unit_test(test_a_failure_that_nobody_canceled_is_told),
        cmocka_unit_test(test_a_caller_can_say_how_many_bytes_come),
        cmocka_unit_test(test_phases_have_words),
        cmocka_unit_test(test_bad_text_does_not_wait_for_the_rest_of_a_pipe),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
