#include "tools/sigrep/state/saved.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "io/bytes.h"

enum { VERSION = 1, NUMBER = 8 /* bytes */ };
static const char MAGIC[] = "sigstate"; /* 8 bytes, without the NUL */

/* Either writes or reads, so that the fields stand once. */
typedef struct {
    text_buffer *out; /* NULL: reads */
    const unsigned char *at;
    size_t left;
    bool failed, lacks_memory;
} codec;

static void put(text_buffer *out, uint64_t value)
{
    char bytes[NUMBER];
    for (int i = 0; i < NUMBER; i++) bytes[i] = (char)(value >> 8 * i & 0xff);
    text_add(out, bytes, NUMBER);
}

static void number(codec *c, uint64_t *value)
{
    if (c->out) {
        put(c->out, *value);
        return;
    }
    c->failed |= c->left < NUMBER;
    if (c->failed) return;
    *value = bytes_load(c->at, NUMBER, false);
    c->at += NUMBER;
    c->left -= NUMBER;
}

static void integer(codec *c, int64_t *value)
{
    uint64_t bits = (uint64_t)*value;
    number(c, &bits);
    *value = (int64_t)bits;
}

static void flag(codec *c, bool *value)
{
    uint64_t bit = *value;
    number(c, &bit);
    *value = bit != 0;
}

static void time_of(codec *c, exact_time *t)
{
    int64_t seconds = t->seconds, ns = t->ns, decimals = t->decimals;
    integer(c, &seconds);
    integer(c, &ns);
    integer(c, &decimals);
    flag(c, &t->is_local);
    t->seconds = seconds;
    t->ns = (int32_t)ns;
    t->decimals = (int16_t)decimals;
}

static void bytes_of(codec *c, saved_bytes *b)
{
    uint64_t n = b->n;
    number(c, &n);
    if (c->out) {
        text_add(c->out, (const char *)b->bytes, b->n);
        return;
    }
    c->failed |= n > c->left;
    if (c->failed) return;
    *b = (saved_bytes){c->at, (size_t)n};
    c->at += n;
    c->left -= (size_t)n;
}

/* The items of a list, and their number; reading makes room for them. Each takes 8 bytes at least.
 */
static void *list(codec *c, void *items, size_t *n, size_t size)
{
    uint64_t count = *n;
    number(c, &count);
    if (c->out) return items;
    *n = 0;
    c->failed |= count > c->left / NUMBER;
    if (c->failed || count == 0) return NULL;
    items = calloc((size_t)count, size);
    c->failed |= c->lacks_memory = !items;
    if (items) *n = (size_t)count;
    return items;
}

static void place_of(codec *c, saved_place *p)
{
    number(c, &p->samples);
    number(c, &p->matches);
    number(c, &p->held);
    number(c, &p->output);
    number(c, &p->decimals);
    time_of(c, &p->first);
    p->times = list(c, p->times, &p->n_times, sizeof *p->times);
    for (size_t i = 0; i < p->n_times; i++) time_of(c, &p->times[i]);
    p->label_matches = list(c, p->label_matches, &p->n_label_matches, sizeof *p->label_matches);
    for (size_t i = 0; i < p->n_label_matches; i++) number(c, &p->label_matches[i]);
    p->holds = list(c, p->holds, &p->n_holds, sizeof *p->holds);
    for (size_t i = 0; i < p->n_holds; i++) {
        number(c, &p->holds[i].end);
        time_of(c, &p->holds[i].start_time);
        time_of(c, &p->holds[i].end_time);
    }
    bytes_of(c, &p->search);
}

static void mark_of(codec *c, stream_mark *m)
{
    number(c, &m->head_n);
    number(c, &m->head);
    for (size_t i = 0; i < STREAM_PREFIXES; i++) number(c, &m->prefixes[i]);
    number(c, &m->constant_n);
    number(c, &m->tail_n);
    number(c, &m->tail);
}

static void fields(codec *c, saved *s)
{
    bytes_of(c, &s->options);
    bytes_of(c, &s->input);
    integer(c, &s->epoch_s);
    integer(c, &s->epoch_ns);
    flag(c, &s->has_begun);
    flag(c, &s->is_over);
    flag(c, &s->has_ended);
    flag(c, &s->output_is_file);
    number(c, &s->output_device);
    number(c, &s->output_inode);
    number(c, &s->output_end);
    flag(c, &s->output_end_is_known);
    number(c, &s->base);
    number(c, &s->base_decimals);
    time_of(c, &s->base_first);
    mark_of(c, &s->mark);
    place_of(c, &s->here);
    place_of(c, &s->end);
    s->printed = list(c, s->printed, &s->n_printed, sizeof *s->printed);
    for (size_t i = 0; i < s->n_printed; i++) {
        number(c, &s->printed[i].template_index);
        number(c, &s->printed[i].start);
        number(c, &s->printed[i].end);
        number(c, &s->printed[i].score);
    }
}

static uint64_t checksum(const void *bytes, size_t n)
{
    return crc32_z(0, bytes, n);
}

bool saved_write(saved *s, text_buffer *out)
{
    codec c = {.out = out};
    out->length = 0;
    text_add(out, MAGIC, NUMBER);
    put(out, VERSION);
    fields(&c, s);
    if (!out->failed) put(out, checksum(out->data, out->length));
    return !out->failed;
}

const char *saved_read(saved *s, const unsigned char *bytes, size_t n)
{
    *s = (saved){0};
    if (n < NUMBER || memcmp(bytes, MAGIC, NUMBER) != 0) return "is no state of sigrep";
    if (n < 3 * NUMBER) return "is cut short";
    if (bytes_load(bytes + NUMBER, NUMBER, false) != VERSION)
        return "is a state of another version of sigrep";
    if (bytes_load(bytes + n - NUMBER, NUMBER, false) != checksum(bytes, n - NUMBER))
        return "is damaged or cut short";
    codec c = {.at = bytes + 2 * NUMBER, .left = n - 3 * NUMBER};
    fields(&c, s);
    if (c.lacks_memory) return "out of memory";
    return c.failed || c.left > 0 ? "is damaged" : NULL;
}

void saved_place_free(saved_place *place)
{
    free(place->times);
    free(place->label_matches);
    free(place->holds);
    *place = (saved_place){0};
}

void saved_free(saved *s)
{
    saved_place_free(&s->here);
    saved_place_free(&s->end);
    free(s->printed);
    *s = (saved){0};
}
