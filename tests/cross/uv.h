/*
 * uv.h - as much of libuv as the tests that are run for another machine need;
 * there is no library for that one.  They have one thread.
 */
#ifndef TESTS_CROSS_UV_H
#define TESTS_CROSS_UV_H

typedef int uv_mutex_t;

static inline int uv_mutex_init(uv_mutex_t *lock)
{
    return *lock = 0;
}

static inline void uv_mutex_destroy(uv_mutex_t *lock)
{
    (void)lock;
}

static inline void uv_mutex_lock(uv_mutex_t *lock)
{
    ++*lock;
}

static inline void uv_mutex_unlock(uv_mutex_t *lock)
{
    --*lock;
}

#endif
