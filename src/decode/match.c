/* match.c - which match is for this machine. */
#include "decode/match.h"

#include <string.h>

#include "base/vec.h"

tt_match *tt_match_best(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("bmi2"))
        return tt_match_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
        return tt_match_avx2;
#elif defined(__aarch64__)
    return tt_match_neon;
#endif
    return tt_match_plain;
}

void tt_match_remember(struct tt_decoder *d, enum tt_guessed kind,
                       uint32_t number, uint32_t string)
{
    size_t cap = d->guess_cap;

    if (d->before >= cap) {
        if (!tt_vec_grow(&d->guess, &d->guess_cap, d->before,
                         sizeof(*d->guess))) {
            d->no_memory = true;
            return;
        }
        memset(d->guess + cap, 0, (d->guess_cap - cap) * sizeof(*d->guess));
    }
    d->guess[d->before].value[kind] = number + 1;
    d->before = string;
}
