#include "io/audio/declared_size.h"

#include <stdio.h>
#include <string.h>

#include "io/bytes.h"

enum { OGG_PAGE = 27, OGG_FLAGS = 5, OGG_SEGMENTS = 26, OGG_FIRST = 2, OGG_LAST = 4 };

void declared_size_init(declared_size *d, detect_kind kind)
{
    *d = (declared_size){.kind = kind};
    switch (kind) {
    case DETECT_WAV:
    case DETECT_RF64:
    case DETECT_AIFF:
    case DETECT_AU: d->want = 12; break;
    case DETECT_CAF: d->want = 8; break;
    case DETECT_W64: d->want = 40; break;
    case DETECT_OGG: d->want = OGG_PAGE; break;
    default: d->done = true;
    }
}

/* The next header begins after `skip` bytes and has `want` bytes. */
static void expect(declared_size *d, uint64_t skip, size_t want)
{
    d->skip = skip;
    d->want = want;
    d->have = 0;
}

/* The header of the samples has been read. They have `size` bytes, after `fields` bytes that are
 * none. What follows them is a header of `want` bytes; 0: anything. */
static void begin_samples(declared_size *d, uint64_t fields, uint64_t size, size_t want)
{
    d->is_found = true;
    d->data_begin = d->position + fields;
    d->data_size = size;
    d->done = want == 0;
    if (!d->done) expect(d, fields + size, want);
}

static void parse_ogg(declared_size *d)
{
    if (memcmp(d->header, "OggS", 4) != 0) {
        d->done = true; /* bytes after the stream, or damage: libsndfile reports that */
        return;
    }
    if (d->has_ended && d->header[OGG_FLAGS] & OGG_FIRST) {
        d->done = d->is_chained = true;
        return;
    }
    size_t segments = d->header[OGG_SEGMENTS], body = 0;
    if (d->want < OGG_PAGE + segments) {
        d->want = OGG_PAGE + segments;
        return;
    }
    for (size_t i = 0; i < segments; i++) body += d->header[OGG_PAGE + i];
    d->last_page = d->header[OGG_FLAGS] & OGG_LAST;
    d->has_ended = d->has_ended || d->last_page;
    expect(d, body, OGG_PAGE);
}

/* Nothing follows the samples of an AU file. */
static void parse_au(declared_size *d)
{
    if (d->is_found) {
        d->is_stray = d->done = true;
        return;
    }
    const bool big_endian = d->header[0] == '.'; /* else "dns." */
    const uint64_t size = bytes_load(d->header + 8, 4, big_endian);
    const uint64_t offset = bytes_load(d->header + 4, 4, big_endian);
    d->is_placeholder = riff_is_placeholder(4, size);
    begin_samples(d, offset > 12 ? offset - 12 : 0, size, size == UINT32_MAX ? 0 : 1);
}

/* The samples begin after this header. libsndfile reads on after those of W64, and of an AIFF with
 * a size below 8. */
static void parse_samples(declared_size *d, uint64_t size)
{
    const bool is_long = d->kind == DETECT_RF64 && size == UINT32_MAX;
    if (is_long) size = d->long_size;
    const uint64_t fields = d->kind == DETECT_AIFF ? 8 : d->kind == DETECT_CAF ? 4 : 0;
    const bool is_small = d->kind == DETECT_AIFF && size < fields;
    const bool is_huge = size > INT64_MAX / 2;
    const bool is_open = d->kind == DETECT_W64 || is_small || is_huge;
    d->is_placeholder = riff_is_placeholder(is_long ? 8 : d->layout.size_bytes, size);
    if (is_huge || size < fields) size = fields;
    begin_samples(d, fields, size - fields, is_open ? 0 : riff_header_bytes(&d->layout));
    if (is_open) return;
    d->padding = riff_padding(&d->layout, size);
    d->skip += d->padding;
}

static void parse_chunk(declared_size *d)
{
    const size_t head = riff_header_bytes(&d->layout);
    const uint64_t size = riff_size(&d->layout, d->header);
    const bool is_ds64 = d->kind == DETECT_RF64 && riff_is(d->header, "ds64") && size >= 16;
    if (d->is_found && !riff_may_follow(&d->layout, d->header)) {
        d->is_stray = d->done = true;
        return;
    }
    if (!d->is_found && riff_is(d->header, d->kind == DETECT_AIFF ? "SSND" : "data")) {
        parse_samples(d, size);
        return;
    }
    if (is_ds64 && d->have == head) {
        d->want = head + 16; /* its content begins with the sizes of file and samples */
        return;
    }
    const size_t read = d->have - head;
    if (read > 0) d->long_size = bytes_load(d->header + head + 8, 8, false);
    d->has_tail = d->is_found;
    d->padding = riff_padding(&d->layout, size);
    d->done = size > INT64_MAX / 2; /* nonsense: libsndfile reports that */
    if (!d->done) expect(d, size + d->padding - read, head);
}

/* Parse a complete header. */
static void parse_header(declared_size *d)
{
    const bool first = d->layout.name_bytes == 0;
    if (d->kind == DETECT_OGG) {
        parse_ogg(d);
    } else if (d->kind == DETECT_AU) {
        parse_au(d);
    } else if (first) {
        d->layout = riff_layout_of(d->kind, d->header);
        expect(d, 0, riff_header_bytes(&d->layout));
    } else {
        parse_chunk(d);
    }
}

void declared_size_feed(declared_size *d, const unsigned char *bytes, size_t n)
{
    while (n > 0) {
        size_t part = n;
        if (d->skip > 0) {
            if (part > d->skip) part = (size_t)d->skip;
            d->skip -= part;
        } else if (!d->done) {
            if (part > d->want - d->have) part = d->want - d->have;
            memcpy(d->header + d->have, bytes, part);
            d->have += part;
        }
        d->position += part;
        bytes += part;
        n -= part;
        if (!d->done && d->have == d->want) parse_header(d);
    }
}

void declared_size_scan(declared_size *d, input *in)
{
    uint64_t total = in->size - in->start;
    while (!d->done && d->position + d->skip < total) {
        d->position += d->skip;
        d->skip = 0;
        unsigned char part[DECLARED_SIZE_HEADER];
        size_t n = input_read_at(in, d->position, part, d->want - d->have);
        if (n == 0) return;
        declared_size_feed(d, part, n);
    }
}

/* The reason why an Ogg file of `total` bytes lacks a part; NULL: it does not. */
static const char *ogg_reason(const declared_size *d, uint64_t total)
{
    if (d->is_chained) return "holds another Ogg stream after the first, which was not read";
    bool mid_page = d->have > 0 || d->position + d->skip > total;
    bool stray = d->have > 0 && memcmp(d->header, "OggS", d->have < 4 ? d->have : 4) != 0;
    if (d->done || (d->last_page && (stray || !mid_page))) return NULL;
    return "cut short: the last Ogg page is missing";
}

/* The reason why the bytes after the samples are not right; NULL: they are. */
static const char *tail_reason(const declared_size *d, uint64_t total)
{
    const bool is_whole = d->have == 0 && d->position + d->skip <= total + d->padding;
    if (d->done ? !d->is_stray : is_whole) return NULL;
    if (!d->has_tail) return "wrong header: bytes beyond its size were not read";
    if (d->is_stray || d->have > 0) return "damaged: the bytes after the last chunk are no chunk";
    return "cut short inside a chunk after the samples";
}

static const char *find_reason(const declared_size *d, uint64_t total)
{
    if (d->kind == DETECT_OGG) return ogg_reason(d, total);
    if (!d->is_found) return d->done ? NULL : "cut short inside the header";
    return tail_reason(d, total);
}

bool declared_size_met(const declared_size *d, uint64_t total, char *reason, size_t size)
{
    const uint64_t present = total > d->data_begin ? total - d->data_begin : 0;
    if (d->is_found && present < d->data_size) {
        if (d->is_placeholder) return true;
        const size_t unit = d->frame_bytes ? d->frame_bytes : 1;
        snprintf(reason, size, "cut short: %llu of %llu %s", (unsigned long long)(present / unit),
                 (unsigned long long)(d->data_size / unit),
                 d->frame_bytes ? "frames" : "bytes of samples");
        return false;
    }
    const char *why = find_reason(d, total);
    if (why) snprintf(reason, size, "%s", why);
    return why == NULL;
}
