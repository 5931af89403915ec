/* Any argv at all: bytes cut at NUL and newline. Nothing is opened. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tools/sigrep/options/options.h"

enum { MAX_WORDS = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char program[] = "sigrep";
    char *argv[MAX_WORDS + 1] = {program};
    int argc = 1;
    char *bytes = malloc(size + 1);
    if (!bytes) return 0;
    if (size > 0) memcpy(bytes, data, size);
    bytes[size] = '\0';
    for (size_t at = 0; at < size && argc < MAX_WORDS;) {
        argv[argc++] = bytes + at;
        at += strcspn(bytes + at, "\n");
        if (at < size) bytes[at++] = '\0';
    }
    char error[ARGUMENTS_ERROR_SIZE];
    options o;
    arguments_status status = options_parse(&o, argc, argv, error);
    if ((status == ARGUMENTS_BAD) != (error[0] != '\0')) abort();
    if (!status && !o.list_devices && (!o.shared.n_templates || !o.shared.n_inputs)) abort();
    options_free(&o);
    free(bytes);
    return 0;
}
