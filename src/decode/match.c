/* match.c - which match is for this machine. */
#include "decode/match.h"

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
