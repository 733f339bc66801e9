/* walk_rapidjson.cc - reads all of a trace with the SAX parser of rapidjson and
 * takes of each event what an index needs; numbers come as text.  Prints the
 * seconds of that, from a mapped file to its end, and what it counted, as JSON.
 */
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string_view>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <rapidjson/encodedstream.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

namespace
{

bool is_wanted(std::string_view key)
{
    return key == "name" || key == "cat" || key == "ph" || key == "ts" ||
           key == "dur" || key == "pid" || key == "tid" || key == "id";
}

bool is_id(std::string_view key)
{
    return key == "correlation" || key == "External id" ||
           key == "Sequence number" || key == "Python id" ||
           key == "Python parent id" || key == "stream" || key == "device";
}

/* Events are objects `depth` levels deep in the array of events. */
class Handler : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Handler>
{
  public:
    uint64_t events = 0, text_bytes = 0;

    bool Default()
    {
        return true;
    }

    bool RawNumber(const char *text, rapidjson::SizeType length, bool copy)
    {
        return String(text, length, copy);
    }

    bool String(const char *, rapidjson::SizeType length, bool)
    {
        if (take)
            text_bytes += length;
        return true;
    }

    bool Key(const char *text, rapidjson::SizeType length, bool)
    {
        std::string_view key(text, length);

        if (events_depth < 0) {
            is_next = depth == 1 && key == "traceEvents";
        } else if (depth == events_depth + 1) {
            take = is_wanted(key);
            in_arguments = key == "args";
        } else {
            take = in_arguments && depth == events_depth + 2 && is_id(key);
        }
        return true;
    }

    bool StartObject()
    {
        if (depth == events_depth)
            events++;
        depth++;
        take = false;
        return true;
    }

    bool EndObject(rapidjson::SizeType)
    {
        depth--;
        return true;
    }

    bool StartArray()
    {
        depth++;
        if (events_depth < 0 && (depth == 1 || is_next))
            events_depth = depth;
        take = false;
        return true;
    }

    bool EndArray(rapidjson::SizeType)
    {
        if (depth == events_depth)
            events_depth = DONE;
        depth--;
        return true;
    }

  private:
    static const int DONE = 1 << 30; /* no depth */
    int depth = 0, events_depth = -1;
    bool is_next = false, in_arguments = false, take = false;
};

} // namespace

int main(int argc, char **argv)
{
    auto begin = std::chrono::steady_clock::now();
    int fd = argc == 2 ? open(argv[1], O_RDONLY) : -1;
    rapidjson::Reader reader;
    struct stat st;
    Handler handler;
    void *text;

    if (fd < 0 || fstat(fd, &st)) {
        (void)fprintf(stderr, "usage: walk_rapidjson TRACE.json\n");
        return 2;
    }
    text = mmap(nullptr, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (text == MAP_FAILED)
        return 1;
    rapidjson::MemoryStream bytes((const char *)text, (size_t)st.st_size);
    rapidjson::EncodedInputStream<rapidjson::UTF8<>, rapidjson::MemoryStream>
        stream(bytes);
    if (!reader.Parse<rapidjson::kParseNumbersAsStringsFlag>(stream, handler)) {
        (void)fprintf(stderr, "walk_rapidjson: damaged at byte %zu\n",
                      reader.GetErrorOffset());
        return 1;
    }
    (void)printf("{\"seconds\": %.6f, \"events\": %llu, \"text_bytes\": "
                 "%llu}\n",
                 std::chrono::duration<double>(
                     std::chrono::steady_clock::now() - begin)
                     .count(),
                 (unsigned long long)handler.events,
                 (unsigned long long)handler.text_bytes);
    return 0;
}
