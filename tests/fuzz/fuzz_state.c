/*
 * fuzz_state.c - states of any bytes. The first byte chooses a search. What follows are the values
 * of a state for it; header, ids and checksum are put right. A search that takes it goes on, and
 * its own state must be one.
 */
#include <stdlib.h>
#include <string.h>

#include "filter/crc32.h"
#include "sigrep.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEADER = 64, SIZE_AT = 32, CHECKSUM = 4, MOST = 1 << 16, N = 2000, M = 400 };

static float noise[N];

static int take_match(void *user, const sigrep_match *match)
{
    const sigrep_pair *pairs;
    size_t n;
    (void)match;
    sigrep_get_path(*(sigrep **)user, &pairs, &n);
    return 0;
}

static int take_scores(void *user, const float *scores, size_t n_frames)
{
    (void)user, (void)scores, (void)n_frames;
    return 0;
}

static sigrep *make(unsigned kind, sigrep **search)
{
    static const char *const fronts[] = {"raw",  "diff+znorm=0.004", "envelope=0.002+bandpass=9-40",
                                         "mfcc", "speech",           "words"};
    const int is_sound = kind % 6 >= 3;
    sigrep_template x[3];
    sigrep_config config;
    sigrep_config_init(&config, sizeof config);
    for (size_t j = 0; j < 3; j++)
        x[j] = (sigrep_template){.size = sizeof *x,
                                 .label = j ? "a" : "b",
                                 .samples = noise + 100 * j,
                                 .length = is_sound ? M : 40,
                                 .level = 1,
                                 .threshold = is_sound ? 9 : 0.4};
    config.templates = x;
    config.n_templates = 3;
    config.front_end = fronts[kind % 6];
    config.rate_hz = is_sound ? 8000 : 1000;
    config.on_match = take_match;
    config.on_scores = kind / 6 % 2 ? take_scores : NULL;
    config.paths = kind / 12 % 2;
    config.user = search;
    config.device = "cpu";
    if (sigrep_create(search, &config, NULL)) abort();
    return *search;
}

static void put(unsigned char *to, uint64_t x, size_t n)
{
    for (size_t i = 0; i < n; i++) to[i] = (unsigned char)(x >> 8 * i);
}

/* A state with these values. Returns its size. */
static size_t put_right(sigrep *search, unsigned char *bytes, const uint8_t *values, size_t n)
{
    const void *empty;
    size_t size;
    if (sigrep_save(search, &empty, &size, NULL) || size < HEADER) abort();
    memcpy(bytes, empty, HEADER);
    memcpy(bytes + HEADER, values, n);
    put(bytes + SIZE_AT, HEADER + n + CHECKSUM, 8);
    put(bytes + HEADER + n, crc32_of(bytes, HEADER + n), CHECKSUM);
    return HEADER + n + CHECKSUM;
}

static void go_on(sigrep *search, unsigned kind)
{
    const void *bytes;
    size_t size;
    uint64_t from;
    sigrep *other;
    sigrep_error error;
    if (sigrep_push(search, noise, N)) abort();
    if (sigrep_save(search, &bytes, &size, &error)) abort();
    make(kind, &other);
    const sigrep_status status = sigrep_resume(other, bytes, size, &from, &error);
    if (status && (status != SIGREP_BAD_STATE || !error.text[0])) abort();
    sigrep_destroy(other);
    sigrep_gap(search, 3);
    sigrep_push(search, noise, N / 2);
    sigrep_finish(search);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static unsigned char bytes[MOST];
    uint32_t random = 1;
    sigrep *search;
    uint64_t from;
    sigrep_error error;
    if (size < 1 || size > MOST - HEADER - CHECKSUM) return 0;
    for (size_t i = 0; i < N; i++)
        noise[i] = (float)((random = random * 1664525 + 1013904223) >> 30) / 4;
    make(data[0], &search);
    const size_t n = put_right(search, bytes, data + 1, size - 1);
    const sigrep_status status = sigrep_resume(search, bytes, n, &from, &error);
    if (status && (status != SIGREP_BAD_STATE || !error.text[0])) abort();
    if (!status) go_on(search, data[0]);
    sigrep_destroy(search);
    return 0;
}
