/*
 * fuzz_saved_names.c - names of saved files. The first byte is the number of files, the rest an
 * input, a label and a start, cut at NUL. Each file must be new, and in the folder.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/escape.h"
#include "tools/sigrep/output/save.h"

enum { MOST_BYTES = 1 << 12 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[] = "/tmp/fuzz_saved_names.XXXXXX";

static void demand(bool holds)
{
    if (!holds) abort();
}

static void remove_folder(void)
{
    rmdir(folder);
}

static void check_name(const char *name)
{
    demand(*name && strlen(name) < SAVE_FILE_NAME && *name != '.' && *name != '-');
    demand(!strpbrk(name, "/ ") && !escape_is_needed(name));
}

/* Removes the files, and demands that there are n. */
static void remove_files(unsigned n)
{
    DIR *made = opendir(folder);
    demand(made != NULL);
    for (const struct dirent *entry; (entry = readdir(made));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            check_name(entry->d_name);
            demand(unlinkat(dirfd(made), entry->d_name, 0) == 0);
            n--;
        }
    closedir(made);
    demand(n == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool is_ready;
    char text[MOST_BYTES + 3] = "", name[SAVE_FILE_NAME];
    if (size < 1 || size > MOST_BYTES) return 0;
    if (!is_ready) demand(mkdtemp(folder) && atexit(remove_folder) == 0);
    is_ready = true;
    memcpy(text, data + 1, size - 1);
    const char *label = text + strlen(text) + 1;
    label = label < text + size ? label : "";
    const char *start = *label ? label + strlen(label) + 1 : "";
    save_file_name(name, text, label, start < text + size ? start : "");
    check_name(name);
    const unsigned n = data[0] % 6;
    text_buffer path = {0};
    for (unsigned i = 0; i < n; i++) {
        const int fd = save_file_create(folder, name, ".csv", &path);
        demand(fd >= 0 && strncmp(path.data, folder, strlen(folder)) == 0);
        close(fd);
    }
    free(path.data);
    remove_files(n);
    return 0;
}
