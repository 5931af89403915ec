/*
 * fuzz_text.c - text, however its bytes are cut. The first byte has a bit for each option. The
 * second is the time column and the columns, the third the size of the pieces. The rest is the
 * text. Instead of three columns there are two by name, and runs of missing values are bridged if
 * there is no time column.
 */
#include "io/unpack.h"
#include "tests/fuzz/source_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 3) return 0;
    size_t columns[2] = {(size_t)(data[1] >> 2 & 7) + 1, (size_t)(data[1] >> 5) + 1};
    source_options o = {.format = SOURCE_TEXT, .wake_fd = -1, .columns = columns};
    o.skip_bad = data[0] & 1;
    o.is_template = data[0] & 2;
    o.n_columns = data[0] >> 2 & 3;
    const bool by_name = o.n_columns > 2;
    o.channels = data[0] >> 4 & 3;
    o.choice = (channel_choice)(data[0] >> 6);
    o.channel = 1;
    o.time_column = data[1] & 3;
    if (by_name) {
        static const char *const names[] = {"x", "y"};
        columns[0] = columns[1] = 0;
        o.column_names = names;
        o.n_columns = 2;
        o.fill_s = o.time_column ? 0 : 3;
        if (o.time_column == 3) o.time_name = "t";
    }
    if (unpack_detect(data + 3, size - 3, true) != UNPACK_NONE) return 0; /* for fuzz_unpack.c */
    fuzz_result r = fuzz_compare(data + 3, size - 3, &o, data[2]);
    if (r.frames > size) abort();
    return 0;
}
