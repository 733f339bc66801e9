/* delay.c - times between two moments. */
#include "query/delay.h"

#include <stdlib.h>

#include "query/ratio.h"
#include "query/sorted.h"

static int compare_delays(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left;
    int64_t b = *(const int64_t *)right;

    return (a > b) - (a < b);
}

static double ratio(__int128 above, uint64_t below)
{
    return above < 0 ? -tt_ratio((unsigned __int128)-above, below)
                     : tt_ratio((unsigned __int128)above, below);
}

void tt_delays_summarize(struct tt_delays *d, int64_t *delay, uint32_t count)
{
    __int128 sum = 0;

    tt_sort_unsorted(delay, count, sizeof(*delay), compare_delays);
    *d = (struct tt_delays){.min = delay[0], .max = delay[count - 1]};
    for (uint32_t i = 0; i < count; i++) {
        sum += delay[i];
        if (delay[i] < 0)
            d->negative++;
    }
    d->p99 = delay[((uint64_t)count * 99 + 99) / 100 - 1];
    d->mean = ratio(sum, count);
    d->median = ratio((__int128)delay[(count - 1) / 2] + delay[count / 2], 2);
}
