/*
 * replay.c - a main for fuzz targets without a fuzzer: runs the target once over each file given.
 * A target that finds a fault calls abort().
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* stdio is enough here: nothing interrupts. */
static int replay(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 1;
    }
    size_t size = 0, room = 1 << 20;
    uint8_t *data = malloc(room);
    for (size_t n = 1; data && n > 0; size += n) {
        if (size == room) {
            uint8_t *more = realloc(data, room *= 2);
            if (!more) free(data);
            data = more;
        }
        n = data ? fread(data + size, 1, room - size, file) : 0;
    }
    int failed = !data || ferror(file);
    fclose(file);
    if (failed)
        fprintf(stderr, "%s: cannot be read\n", path);
    else
        LLVMFuzzerTestOneInput(data, size);
    free(data);
    return failed;
}

int main(int argc, char **argv)
{
    int failed = 0;
    for (int i = 1; i < argc; i++) {
        printf("%s\n", argv[i]);
        fflush(stdout); /* so that the last line names the file of a crash */
        failed |= replay(argv[i]);
    }
    return failed;
}
