/*
 * base/anonymous.h - what says whose trace it is, and where it was made.
 *
 * Texts lose the folders of absolute paths; members of the document keep their
 * value only when it is known to say nothing of that kind.
 */
#ifndef TT_BASE_ANONYMOUS_H
#define TT_BASE_ANONYMOUS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"

/*
 * Whether there is an absolute path in the text: then `out`, which is emptied
 * first, has the text with "_/" in the place of the folders of each:
 * "/home/me/train.py(7): main" is "_/train.py(7): main".
 *
 * A path begins with a slash or "~", or with backslashes behind a drive or
 * before a host, where no name is right before it; but behind an option, as in
 * "-I/opt/me", and behind what is no ASCII it does.  What looks like a home,
 * "/home/me" or "\Users\me", is one whatever is before it, but as the host of
 * an address.  It ends at white space, a quote or one of ,;:()[]{}<>|&=, but
 * that of a Python function, where it begins a line, goes up to its number as
 * in "/my own/x.py(7)".  Slashes may have a backslash before them, as in a text
 * that is JSON itself.  A folder that has the name of a user, as in "/home/me"
 * or "/nfs/home/me", goes altogether: "_/_".
 *
 * The text may be compact JSON (json/text.h): what was a value of it is one
 * still, and its strings say then what the same is made of what they said. When
 * memory is short, out->failed is set.
 */
bool tt_anonymous_text(const char *ptr, size_t len, bool is_json,
                       struct tt_buffer *out);

/* Whether the member of the document with that key keeps its value. */
bool tt_anonymous_keeps(const char *key, size_t len);

#endif
