/* source.c - opens a trace, sees what it is and gives its text. */
#include "input/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/unpacker.h"

/* The first bytes of the text, which say what it is. */
#define HEAD_BYTES 4

/* Mapped text is dropped in pieces of this, a multiple of any page. */
#define PASS_BYTES ((uint64_t)16 << 20)

/* So much of a mapped file that is not in memory is on its way, asked for in
 * such steps: enough that a fast disk is never idle. */
#define AHEAD_BYTES ((uint64_t)32 << 20)
#define AHEAD_STEP ((uint64_t)8 << 20)

struct tt_source {
    struct tt_source_facts facts;
    char *name; /* of the facts, owned */
    bool own_fd;
    bool in_blocks; /* not to be mapped */
    uint64_t most;  /* bytes of text that may be; 0: any number */
    uint64_t given; /* of them, given or looked at */
    bool is_past;   /* there are more */
    bool is_file;   /* has a size and a time */
    struct tt_raw raw;
    unsigned char *map;           /* the whole file, or NULL */
    uint64_t passed;              /* bytes of it that were dropped */
    uint64_t asked;               /* bytes of it that were asked for */
    uint64_t map_pos;             /* bytes that tt_source_read() has given */
    struct tt_unpacker *unpacker; /* owned; NULL when mapped */
    unsigned char head[HEAD_BYTES];
    size_t head_pos; /* bytes that are given or skipped */
    size_t head_len;
    enum t2t_status ahead;   /* what comes behind the text that is given */
    struct t2t_error failed; /* the same in full when it is below 0 */
};

/* First bytes that are no UTF-8 text, with what to try. */
static const struct {
    const char *bytes;
    size_t len;
    const char *what;
    const char *advice;
} strangers[] = {
    {"\xff\xfe\0", 4, "UTF-32", "convert it first: iconv -f UTF-32 -t UTF-8"},
    {"\0\0\xfe\xff", 4, "UTF-32", "convert it first: iconv -f UTF-32 -t UTF-8"},
    {"\xff\xfe", 2, "UTF-16", "convert it first: iconv -f UTF-16 -t UTF-8"},
    {"\xfe\xff", 2, "UTF-16", "convert it first: iconv -f UTF-16 -t UTF-8"},
    {"\x1f\x8b", 2, "compressed twice", "decompress it once: gzip -dc"},
    {"\x28\xb5\x2f\xfd", 4, "compressed twice", "decompress it once: zstd -dc"},
    {"\xfd\x37zX", 4, "compressed with xz", "decompress it first: xz -dc"},
    {"BZh", 3, "compressed with bzip2", "decompress it first: bzip2 -dc"},
    {"\x04\x22\x4d\x18", 4, "compressed with lz4",
     "decompress it first: lz4 -dc"},
    {"PK\x03\x04", 4, "a zip archive", "take the trace out first: unzip -p"},
};

static enum t2t_status open_file(struct tt_source *s, const char *path,
                                 struct t2t_error *err)
{
    s->raw.fd = STDIN_FILENO;
    if (!strcmp(path, "-"))
        return T2T_OK;
    /* non-blocking: a named pipe is opened before anybody writes into it */
    do
        s->raw.fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    while (s->raw.fd < 0 && errno == EINTR);
    if (s->raw.fd < 0)
        return tt_error(err, T2T_ERR_IO, TT_NO_OFFSET, "cannot open: %s",
                        strerror(errno));
    s->own_fd = true;
    return T2T_OK;
}

/* The last part of `path`, "" for standard input. */
static enum t2t_status keep_name(struct tt_source *s, const char *path,
                                 struct t2t_error *err)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;

    s->name = strdup(strcmp(path, "-") ? name : "");
    if (!s->name)
        return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
    s->facts.name = s->name;
    return T2T_OK;
}

/* What is too far away is the last time, or the first, that an index can say.
 */
static int64_t mtime_ns(const struct stat *st)
{
    int64_t ns;

    if (__builtin_mul_overflow((int64_t)st->st_mtim.tv_sec, 1000000000, &ns) ||
        __builtin_add_overflow(ns, (int64_t)st->st_mtim.tv_nsec, &ns))
        return st->st_mtim.tv_sec < 0 ? INT64_MIN : INT64_MAX;
    return ns;
}

/*
 * A regular file has a size and a time, unless it is standard input and
 * somebody has read from it before: then it is a pipe for us.
 */
static enum t2t_status look_at_file(struct tt_source *s, struct t2t_error *err)
{
    struct stat st;

    if (fstat(s->raw.fd, &st))
        return tt_error(err, T2T_ERR_IO, TT_NO_OFFSET, "cannot read: %s",
                        strerror(errno));
    if (S_ISDIR(st.st_mode))
        return tt_error(err, T2T_ERR_NOT_A_TRACE, TT_NO_OFFSET,
                        "this is a directory; name a file in it");
    s->raw.waits = !S_ISREG(st.st_mode);
    if (!S_ISREG(st.st_mode) || lseek(s->raw.fd, 0, SEEK_CUR) != 0)
        return T2T_OK;
    s->is_file = true;
    s->facts.bytes = (uint64_t)st.st_size;
    s->facts.mtime_ns = mtime_ns(&st);
    return T2T_OK;
}

/* Gets the first bytes of the file and the unpacker they ask for. */
static enum t2t_status choose_unpacker(struct tt_source *s,
                                       struct t2t_error *err)
{
    enum t2t_status st = tt_raw_init(&s->raw, err);
    const unsigned char *first = s->raw.block;
    size_t len;

    if (!st)
        st = tt_raw_fill(&s->raw, HEAD_BYTES, err);
    if (st)
        return st;
    len = tt_raw_left(&s->raw);
    if (!len)
        return tt_error(err, T2T_ERR_TRUNCATED, 0, "the file is empty");
    s->facts.compressed = true;
    if (len > 1 && tt_gzip_begins(first, len))
        return tt_gzip_create(&s->unpacker, err);
    if (len > 3 && tt_zstd_begins(first, len))
        return tt_zstd_create(&s->unpacker, err);
    s->facts.compressed = false;
    if (!s->in_blocks)
        s->map = tt_raw_map(&s->raw, s->facts.bytes);
    return s->map ? T2T_OK : tt_plain_create(&s->unpacker, err);
}

/* Gets the first bytes of the text: fewer when it is shorter or broken off. */
static enum t2t_status read_head(struct tt_source *s, struct t2t_error *err)
{
    if (s->map) {
        s->head_len =
            s->facts.bytes < HEAD_BYTES ? (size_t)s->facts.bytes : HEAD_BYTES;
        memcpy(s->head, s->map, s->head_len);
        return T2T_OK;
    }
    s->ahead = s->unpacker->read(s->unpacker, &s->raw, s->head, HEAD_BYTES,
                                 &s->head_len, &s->failed);
    if (s->head_len || s->ahead >= 0)
        return T2T_OK;
    return tt_error(err, s->ahead, s->failed.offset, "%s", s->failed.text);
}

/* JSON begins with ASCII, so zeros tell which of the wider codes it is in. */
static enum t2t_status check_zeros(const struct tt_source *s,
                                   struct t2t_error *err)
{
    size_t zeros = 0;

    for (size_t i = 0; i < s->head_len; i++)
        zeros += !s->head[i];
    if (!zeros)
        return T2T_OK;
    if (zeros == HEAD_BYTES)
        return tt_error(err, T2T_ERR_ENCODING, 0,
                        "the text begins with NUL bytes: it is damaged, or "
                        "UTF-16 or UTF-32 and not UTF-8");
    return tt_error(err, T2T_ERR_ENCODING, 0,
                    "the text is %s; convert it first: iconv -f %s -t UTF-8",
                    zeros == 3 ? "UTF-32" : "UTF-16",
                    zeros == 3 ? "UTF-32" : "UTF-16");
}

/* Refuses what is no UTF-8 text and skips a byte order mark. */
static enum t2t_status check_head(struct tt_source *s, struct t2t_error *err)
{
    if (!s->head_len)
        return tt_error(err, T2T_ERR_TRUNCATED, 0,
                        "the file is empty once decompressed");
    for (size_t i = 0; i < sizeof(strangers) / sizeof(*strangers); i++) {
        if (s->head_len >= strangers[i].len &&
            !memcmp(s->head, strangers[i].bytes, strangers[i].len))
            return tt_error(err, T2T_ERR_ENCODING, 0, "the text is %s; %s",
                            strangers[i].what, strangers[i].advice);
    }
    if (s->head_len == 4 && !memcmp(s->head, "\x89T2T", 4))
        return tt_error(err, T2T_ERR_NOT_A_TRACE, 0,
                        "this is an index, which is there to be used");
    if (s->head_len >= 3 && !memcmp(s->head, "\xef\xbb\xbf", 3)) {
        s->facts.skipped = 3;
        s->head_pos = 3;
        s->map_pos = 3;
        s->given = 3;
        if (s->head_len == 3 && s->ahead >= 0)
            return tt_error(err, T2T_ERR_TRUNCATED, 3,
                            "the file is empty but for a byte order mark");
    }
    return check_zeros(s, err);
}

static enum t2t_status past_limit(const struct tt_source *s,
                                  struct t2t_error *err)
{
    return tt_error(err, T2T_ERR_LIMIT, s->most,
                    "the text is longer than the %llu bytes that were allowed",
                    (unsigned long long)s->most);
}

/* How much of `cap` may still be given. */
static size_t room_left(const struct tt_source *s, size_t cap)
{
    uint64_t left = s->most - s->given;

    return s->most && left < cap ? (size_t)left : cap;
}

/*
 * Why the text is refused at its beginning: nonsense can come of damaged data,
 * and then the damage is what is said, so the rest is decompressed to see.
 */
static enum t2t_status blame(struct tt_source *s, enum t2t_status said,
                             struct t2t_error *err)
{
    unsigned char *buf = s->facts.compressed ? malloc(TT_RAW_BYTES) : NULL;
    size_t len;

    while (buf && !s->ahead && room_left(s, TT_RAW_BYTES)) {
        s->ahead =
            s->unpacker->read(s->unpacker, &s->raw, buf,
                              room_left(s, TT_RAW_BYTES), &len, &s->failed);
        s->given += len;
        if (!s->ahead && !tt_watch_go_on(s->raw.watch))
            s->ahead = tt_watch_stopped(&s->failed);
    }
    free(buf);
    if (s->ahead >= 0 || s->unpacker->sound)
        return said;
    return tt_error(err, s->ahead, s->failed.offset, "%s", s->failed.text);
}

/* Looks at what the source begins with, when it is open, and gives it away. */
static enum t2t_status begin(struct tt_source *s, struct tt_source **out,
                             struct t2t_error *err)
{
    enum t2t_status st = choose_unpacker(s, err);

    if (!st)
        st = read_head(s, err);
    if (!st) {
        st = check_head(s, err);
        if (st)
            st = blame(s, st, err);
    }
    if (st)
        return st;
    s->facts.mapped = s->map != NULL;
    if (s->map && s->most && s->facts.bytes > s->most)
        return past_limit(s, err);
    if (s->map)
        tt_raw_release(&s->raw);
    *out = s;
    return T2T_OK;
}

static struct tt_source *create(struct tt_watch *watch)
{
    struct tt_source *s = calloc(1, sizeof(*s));

    if (s)
        s->raw = (struct tt_raw){.fd = -1, .watch = watch};
    return s;
}

enum t2t_status tt_source_open_on(struct tt_source **out,
                                  const struct tt_source_terms *terms,
                                  struct tt_watch *watch, struct t2t_error *err)
{
    struct tt_source *s = create(watch);
    enum t2t_status st;

    if (!s)
        return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
    s->in_blocks = terms->no_map;
    s->most = terms->most;
    s->raw.reader = terms->reader;
    st = keep_name(s, terms->reader ? "-" : terms->path, err);
    if (!st && !terms->reader)
        st = open_file(s, terms->path, err);
    if (!st && !terms->reader)
        st = look_at_file(s, err);
    if (!st)
        st = begin(s, out, err);
    if (st)
        tt_source_close(s);
    return st;
}

enum t2t_status tt_source_open(struct tt_source **out, const char *path,
                               struct tt_watch *watch, struct t2t_error *err)
{
    struct tt_source_terms terms = {.path = path};

    return tt_source_open_on(out, &terms, watch, err);
}

enum t2t_status tt_source_open_reader(struct tt_source **out,
                                      const struct tt_reader *reader,
                                      struct tt_watch *watch,
                                      struct t2t_error *err)
{
    struct tt_source_terms terms = {.reader = reader};

    return tt_source_open_on(out, &terms, watch, err);
}

void tt_source_close(struct tt_source *s)
{
    if (!s)
        return;
    if (s->unpacker)
        s->unpacker->free(s->unpacker);
    tt_raw_unmap(s->map, s->facts.bytes);
    tt_raw_release(&s->raw);
    if (s->own_fd)
        (void)close(s->raw.fd);
    free(s->name);
    free(s);
}

bool tt_source_has_changed(const struct tt_source *s)
{
    struct stat st;

    return s->is_file && !fstat(s->raw.fd, &st) &&
           ((uint64_t)st.st_size != s->facts.bytes ||
            mtime_ns(&st) != s->facts.mtime_ns);
}

bool tt_source_is_at(const struct tt_source *s, const char *path)
{
    struct stat ours, there;

    return s->is_file && !fstat(s->raw.fd, &ours) && !stat(path, &there) &&
           ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

const struct tt_source_facts *tt_source_facts(const struct tt_source *s)
{
    return &s->facts;
}

bool tt_source_map(const struct tt_source *s, const unsigned char **ptr,
                   uint64_t *len)
{
    if (!s->map)
        return false;
    *ptr = s->map + s->facts.skipped;
    *len = s->facts.bytes - s->facts.skipped;
    return true;
}

void tt_source_pass(struct tt_source *s, uint64_t end)
{
    if (!s->map || end < s->passed || end - s->passed < PASS_BYTES)
        return;
    end -= end % PASS_BYTES;
    tt_raw_drop(s->map, s->passed, end - s->passed);
    s->passed = end;
}

void tt_source_expect(struct tt_source *s, uint64_t at)
{
    uint64_t end;

    if (s->asked < at) /* what was read before the array is not asked for */
        s->asked = at - at % AHEAD_STEP;
    if (!s->map || s->asked >= s->facts.bytes ||
        at + AHEAD_BYTES < s->asked + AHEAD_STEP)
        return;
    end = at + AHEAD_BYTES - (at + AHEAD_BYTES) % AHEAD_STEP;
    if (end > s->facts.bytes)
        end = s->facts.bytes;
    tt_raw_ask(s->map, s->asked, end - s->asked);
    s->asked = end;
}

static size_t copy_map(struct tt_source *s, unsigned char *buf, size_t cap)
{
    uint64_t left = s->facts.bytes - s->map_pos;
    size_t n = left < cap ? (size_t)left : cap;

    memcpy(buf, s->map + s->map_pos, n);
    s->map_pos += n;
    return n;
}

static size_t copy_head(struct tt_source *s, unsigned char *buf, size_t cap)
{
    size_t left = s->head_len - s->head_pos;
    size_t n = left < cap ? left : cap;

    memcpy(buf, s->head + s->head_pos, n);
    s->head_pos += n;
    return n;
}

/* Gives text that is unpacked, `cap` bytes and not more. */
static enum t2t_status read_unpacked(struct tt_source *s, unsigned char *buf,
                                     size_t cap, size_t *len,
                                     struct t2t_error *err)
{
    size_t n;

    *len = copy_head(s, buf, cap);
    if (!s->ahead && *len < cap) {
        s->ahead = s->unpacker->read(s->unpacker, &s->raw, buf + *len,
                                     cap - *len, &n, &s->failed);
        *len += n;
    }
    if (*len || s->ahead == T2T_END)
        return *len ? T2T_OK : T2T_END;
    return tt_error(err, s->ahead, s->failed.offset, "%s", s->failed.text);
}

enum t2t_status tt_source_read(struct tt_source *s, unsigned char *buf,
                               size_t cap, size_t *len, struct t2t_error *err)
{
    enum t2t_status st;

    if (s->map) {
        *len = copy_map(s, buf, cap);
        return *len ? T2T_OK : T2T_END;
    }
    if (room_left(s, cap)) {
        st = read_unpacked(s, buf, room_left(s, cap), len, err);
        s->given += *len;
        return st;
    }
    if (!s->is_past) { /* one byte more says whether it is */
        st = read_unpacked(s, buf, 1, len, err);
        if (st)
            return st;
        s->is_past = true;
    }
    *len = 0;
    return past_limit(s, err);
}

void tt_source_invite(struct tt_source *s, const struct tt_helpers *helpers)
{
    if (s->is_file && s->unpacker && s->unpacker->invite)
        s->unpacker->invite(s->unpacker, s->raw.fd, helpers);
}

bool tt_source_help(struct tt_source *s)
{
    return s->unpacker && s->unpacker->help && s->unpacker->help(s->unpacker);
}

uint64_t tt_source_sound(const struct tt_source *s)
{
    return s->unpacker ? s->unpacker->sound : s->facts.bytes;
}

uint64_t tt_source_consumed(const struct tt_source *s)
{
    return s->map ? s->facts.bytes : tt_raw_at(&s->raw);
}
