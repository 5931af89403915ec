#include "tools/sigrep/output/save_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "io/escape.h"
#include "tools/common/messages/messages.h"

enum {
    MOST_OF_NAME = 80, /* bytes of the input's name, and of the label */
    MOST_OF_TIME = 40,
    LAST_NUMBER = 1000000,
};

bool save_file_make_folder(const char *folder)
{
    struct stat st;
    if (mkdir(folder, 0777) == 0) return true;
    int failure = errno;
    if (failure == EEXIST && stat(folder, &st) == 0) failure = S_ISDIR(st.st_mode) ? 0 : ENOTDIR;
    if (failure) report_of(folder, "--save: %s", strerror(failure));
    return !failure;
}

/* Does a character of n bytes stay as it is, which escape.h shows so? */
static bool is_safe(const char *text, size_t n, const char *shown, bool is_first)
{
    const char c = *text;
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (n > 1) return strlen(shown) == n;
    if (is_first && (c == '.' || c == '-')) return false;
    return is_letter || (c >= '0' && c <= '9') || strchr("._+=@,%-", c) != NULL;
}

/* Append what is safe of `text`, up to `end`, in at most `most` bytes. */
static void add_part(char *name, const char *text, const char *end, size_t most)
{
    size_t length = strlen(name);
    const size_t limit = length + most;
    char shown[ESCAPE_SIZE];
    for (size_t n; text < end; text += n) {
        n = escape_next(text, shown);
        const bool safe = is_safe(text, n, shown, length == 0);
        const bool repeats = length == 0 || name[length - 1] == '_';
        if (length + (safe ? n : 1) > limit) break;
        if (safe)
            memcpy(name + length, text, n);
        else if (!repeats)
            name[length] = '_';
        length += safe ? n : !repeats;
    }
    name[length] = '\0';
}

void save_file_name(char name[SAVE_FILE_NAME], const char *input, const char *label,
                    const char *start)
{
    const char *slash = strrchr(input, '/'), *base = slash ? slash + 1 : input;
    const char *dot = strrchr(base, '.');
    const char *end = dot && dot > base ? dot : base + strlen(base);
    name[0] = '\0';
    add_part(name, base, end, MOST_OF_NAME);
    if (!*name || name[strlen(name) - 1] != '_') strcat(name, "_");
    add_part(name, label, label + strlen(label), MOST_OF_NAME);
    if (name[strlen(name) - 1] != '_') strcat(name, "_");
    add_part(name, start, start + strlen(start), MOST_OF_TIME);
}

int save_file_create(const char *folder, const char *name, const char *extension, text_buffer *path)
{
    for (int number = 1; number <= LAST_NUMBER; number++) {
        path->length = 0;
        text_add_format(path, "%s/%s", folder, name);
        if (number > 1) text_add_format(path, "-%d", number);
        text_add(path, extension, strlen(extension) + 1);
        if (path->failed) {
            errno = ENOMEM;
            return -1;
        }
        const int fd = open(path->data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST) return fd;
    }
    return -1;
}
