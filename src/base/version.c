/* version.c - the version of the library that runs. */
#include <trace2tree/version.h>

const char *t2t_version(void)
{
    return T2T_VERSION_TEXT;
}
