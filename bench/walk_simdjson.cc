/* walk_simdjson.cc - walks all events of a trace with simdjson on demand and
 * takes of each what an index needs.  Prints the seconds of that, from a mapped
 * file to the last event, and what it counted, as JSON. */
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <simdjson.h>

using namespace simdjson;

namespace
{

struct sums {
    uint64_t events = 0, text_bytes = 0, ids = 0;
    double times = 0;
};

/* The file, with room behind it that can be read; nothing is copied. */
padded_string_view map_file(const char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY);
    void *room, *text;
    size_t size, cap;

    if (fd < 0 || fstat(fd, &st))
        return {};
    size = (size_t)st.st_size;
    cap = (size + SIMDJSON_PADDING + 4095) / 4096 * 4096;
    room = mmap(nullptr, cap, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED)
        return {};
    text = mmap(room, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0);
    if (text == MAP_FAILED)
        return {};
    (void)close(fd);
    return padded_string_view((const char *)text, size, cap);
}

/* The key as it is written, without a copy. */
std::string_view text_of(ondemand::raw_json_string key)
{
    const char *at = key.raw();

    return {at, (size_t)((const char *)rawmemchr(at, '"') - at)};
}

bool is_id(std::string_view key)
{
    return key == "correlation" || key == "External id" ||
           key == "Sequence number" || key == "Python id" ||
           key == "Python parent id" || key == "stream" || key == "device";
}

/* The number, whatever its form; 0 for what is none. */
double number_of(ondemand::value value)
{
    double number = 0;

    if (value.type() == ondemand::json_type::number)
        number = value.get_double();
    return number;
}

void take_id(ondemand::value value, struct sums *s)
{
    if (value.type() == ondemand::json_type::number)
        s->ids += (uint64_t)(double)value.get_double();
    else if (value.type() == ondemand::json_type::string)
        s->text_bytes += std::string_view(value.get_string()).size();
}

void take_arguments(ondemand::value value, struct sums *s)
{
    if (value.type() != ondemand::json_type::object)
        return;
    for (auto field : value.get_object())
        if (is_id(text_of(field.key())))
            take_id(field.value(), s);
}

void take_member(ondemand::field &field, struct sums *s)
{
    std::string_view key = text_of(field.key());

    if (key == "ts" || key == "dur")
        s->times += number_of(field.value());
    else if (key == "name" || key == "cat" || key == "ph" || key == "pid" ||
             key == "tid" || key == "id")
        take_id(field.value(), s);
    else if (key == "args")
        take_arguments(field.value(), s);
}

void take_events(ondemand::array events, struct sums *s)
{
    for (auto event : events) {
        s->events++;
        if (event.type() == ondemand::json_type::object)
            for (ondemand::field field : event.get_object())
                take_member(field, s);
    }
}

void walk(ondemand::document *document, struct sums *s)
{
    if (document->type() == ondemand::json_type::array)
        take_events(document->get_array(), s);
    else
        for (auto member : document->get_object())
            if (text_of(member.key()) == "traceEvents")
                take_events(member.value().get_array(), s);
}

} // namespace

int main(int argc, char **argv)
{
    auto begin = std::chrono::steady_clock::now();
    padded_string_view text;
    struct sums s;

    if (argc == 2)
        text = map_file(argv[1]);
    if (!text.size()) {
        (void)fprintf(stderr, "usage: walk_simdjson TRACE.json\n");
        return 2;
    }
    try {
        ondemand::parser parser;
        ondemand::document document = parser.iterate(text);

        walk(&document, &s);
    } catch (const simdjson_error &e) {
        (void)fprintf(stderr, "walk_simdjson: %s\n", e.what());
        return 1;
    }
    (void)printf("{\"seconds\": %.6f, \"events\": %llu, \"text_bytes\": %llu, "
                 "\"ids\": %llu, \"times\": %.0f, \"with\": \"%s\"}\n",
                 std::chrono::duration<double>(
                     std::chrono::steady_clock::now() - begin)
                     .count(),
                 (unsigned long long)s.events, (unsigned long long)s.text_bytes,
                 (unsigned long long)s.ids, s.times,
                 get_active_implementation()->name().c_str());
    return 0;
}
