/*
 * fuzz_jsonl.c - JSON Lines, however their bytes are cut. The first byte has a bit for each option.
 * The second is the time column and the size of the pieces. The rest is the lines.
 */
#include "io/unpack.h"
#include "tests/fuzz/source_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"a.x", NULL, "v.1"};
    static const size_t columns[] = {0, 2, 0};
    if (size < 3) return 0;
    source_options o = {.format = data[0] & 1 ? SOURCE_JSONL : SOURCE_AUTO, .wake_fd = -1};
    o.skip_bad = data[0] & 2;
    o.is_template = data[0] & 4;
    o.columns = columns;
    o.column_names = names;
    o.n_columns = data[0] >> 3 & 3;
    o.channels = data[0] >> 5 & 1;
    o.fill_s = data[0] >> 6 & 3;
    o.time_column = data[1] & 3;
    if (o.time_column == 3) {
        o.time_column = 0;
        o.time_name = "t";
    }
    if (unpack_detect(data + 2, size - 2, true) != UNPACK_NONE) return 0; /* for fuzz_unpack.c */
    if (data[2] != '{' && !(data[0] & 1)) return 0; /* other formats have targets of their own */
    fuzz_compare(data + 2, size - 2, &o, data[1] >> 2);
    return 0;
}
