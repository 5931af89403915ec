/*
 * fuzz_bundle.c - bundles of any bytes. If the first byte is odd, size and checksum are put right,
 * so that the reader goes on. A bundle that is read is written, and must read as the same.
 */
#include <stdlib.h>
#include <string.h>

#include "filter/bundle/format.h"
#include "filter/crc32.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void put_right(unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < 8; i++) bytes[12 + i] = (unsigned char)((uint64_t)n >> 8 * i);
    const uint32_t crc = crc32_of(bytes, n - 4);
    for (size_t i = 0; i < 4; i++) bytes[n - 4 + i] = (unsigned char)(crc >> 8 * i);
}

static int ignore(void *user, const sigrep_match *match)
{
    (void)user, (void)match;
    return 0;
}

/* sigrep_create either accepts the bundle or gives a reason. */
static void search(const bundle *b)
{
    sigrep *session;
    sigrep_error error;
    sigrep_config config;
    sigrep_config_init(&config, sizeof config);
    sigrep_bundle_configure(b, &config);
    config.on_match = ignore;
    config.rate_hz = b->rate_hz > 0 ? b->rate_hz : 1;
    config.device = "cpu";
    if (sigrep_create(&session, &config, &error) && !error.text[0]) abort();
    sigrep_destroy(session);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static unsigned char bytes[1 << 16];
    if (size < 1 || size > sizeof bytes) return 0;
    const size_t n = size - 1;
    memcpy(bytes, data + 1, n);
    if (data[0] & 1 && n >= BUNDLE_HEADER_SIZE + BUNDLE_CHECKSUM_SIZE) put_right(bytes, n);
    bundle *b, *again;
    sigrep_error error;
    if (sigrep_bundle_read(&b, bytes, n, &error)) {
        if (b || !error.text[0] || strchr(error.text, '\n')) abort();
        return 0;
    }
    const void *written, *twice;
    size_t n_written, n_twice;
    if (sigrep_bundle_write(b, &written, &n_written, &error)) abort();
    if (sigrep_bundle_read(&again, written, n_written, &error)) abort();
    if (sigrep_bundle_write(again, &twice, &n_twice, &error)) abort();
    if (n_twice != n_written || memcmp(twice, written, n_twice) != 0) abort();
    search(again);
    sigrep_bundle_destroy(again);
    sigrep_bundle_destroy(b);
    return 0;
}
