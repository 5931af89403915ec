#include "io/samples/companded.h"

#include <sndfile.h>

#include "tests/io/source_help.h"

static void all_bytes_are_as_libsndfile_decodes_them(void)
{
    static const struct {
        int format;
        float (*decode)(unsigned char);
        const char *name;
    } laws[] = {{SF_FORMAT_ULAW, companded_ulaw, "ulaw"}, {SF_FORMAT_ALAW, companded_alaw, "alaw"}};
    unsigned char bytes[256];
    for (int i = 0; i < 256; i++) bytes[i] = (unsigned char)i;
    const char *path = help_file(bytes, 256);
    for (int law = 0; law < 2; law++) {
        SF_INFO info = {.samplerate = 8000, .channels = 1};
        info.format = SF_FORMAT_RAW | laws[law].format;
        SNDFILE *file = sf_open(path, SFM_READ, &info);
        float expected[256];
        CHECK(file && sf_read_float(file, expected, 256) == 256);
        sf_close(file);
        source_options o = help_options(SOURCE_AUTO);
        CHECK(source_parse_format(laws[law].name, &o));
        help_result r = help_read(path, &o);
        CHECK(r.n == 256 && memcmp(r.values, expected, sizeof expected) == 0);
        for (int i = 0; i < 256; i++)
            CHECK_MSG(laws[law].decode(bytes[i]) == expected[i], "%s %d", laws[law].name, i);
        help_free(&r);
    }
    unlink(path);
}

int main(void)
{
    RUN(all_bytes_are_as_libsndfile_decodes_them);
    return check_done();
}
