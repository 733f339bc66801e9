/* watch.c - a clock, a callback and a flag. */
#include "base/watch.h"

#define INTERVAL_NS UINT64_C(100000000)

void tt_watch_init(struct tt_watch *w, bool (*call)(void *context),
                   void *context)
{
    *w = (struct tt_watch){.call = call,
                           .context = context,
                           .interval_ns = INTERVAL_NS,
                           .owner = uv_thread_self()};
    w->due_ns = uv_hrtime() + w->interval_ns;
}

bool tt_watch_is_used(const struct tt_watch *w)
{
    return w && w->call;
}

bool tt_watch_is_canceled(const struct tt_watch *w)
{
    /* relaxed: the flag says only itself, joining threads orders the rest */
    return w && atomic_load_explicit(&w->canceled, memory_order_relaxed);
}

bool tt_watch_now(struct tt_watch *w)
{
    if (!tt_watch_is_used(w))
        return true;
    if (tt_watch_is_canceled(w))
        return false;
    if (!w->call(w->context)) {
        /* relaxed: see above */
        atomic_store_explicit(&w->canceled, true, memory_order_relaxed);
        return false;
    }
    w->due_ns = uv_hrtime() + w->interval_ns;
    return true;
}

static bool is_owner(const struct tt_watch *w)
{
    uv_thread_t self = uv_thread_self();

    return uv_thread_equal(&self, &w->owner);
}

bool tt_watch_go_on(struct tt_watch *w)
{
    if (!tt_watch_is_used(w))
        return true;
    if (tt_watch_is_canceled(w))
        return false;
    if (!is_owner(w) || uv_hrtime() < w->due_ns)
        return true;
    return tt_watch_now(w);
}

void tt_watch_dismiss(struct tt_watch *w)
{
    /* relaxed: see above */
    if (w)
        atomic_store_explicit(&w->dismissed, true, memory_order_relaxed);
}

bool tt_watch_wait(struct tt_watch *w)
{
    if (!tt_watch_go_on(w))
        return false;
    /* relaxed: see above */
    return !w || is_owner(w) ||
           !atomic_load_explicit(&w->dismissed, memory_order_relaxed);
}

void tt_watch_count(struct tt_watch *w, size_t bytes)
{
    /* relaxed: a number to be shown, nothing depends on it */
    if (w)
        (void)atomic_fetch_add_explicit(&w->bytes, bytes, memory_order_relaxed);
}

uint64_t tt_watch_bytes(const struct tt_watch *w)
{
    /* relaxed: see above */
    return atomic_load_explicit(&w->bytes, memory_order_relaxed);
}

enum t2t_status tt_watch_stopped(struct t2t_error *err)
{
    return tt_error(err, T2T_ERR_CANCELED, TT_NO_OFFSET, "canceled");
}

enum t2t_status tt_watch_reason(const struct tt_watch *w)
{
    return tt_watch_is_canceled(w) ? T2T_ERR_CANCELED : T2T_ERR_NO_MEMORY;
}
