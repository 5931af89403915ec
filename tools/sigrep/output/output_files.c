#include "tools/sigrep/output/output_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/common/messages/messages.h"
#include "tools/sigrep/options/options.h"

typedef struct {
    char *path; /* of the file */
    const char *input;
} output_path;

static const char PART[] = ".part"; /* behind the name of a file that is not whole yet */
static const char IS_FULL[] = "is there already; remove it, or give --output-dir another folder";

/* The file's path, DIR/NAME; *below is where NAME begins. NULL: out of memory. */
static char *path_of(const options *o, const listed_input *input, char **below)
{
    const char *name = input->path + input->below, *extension = o->output->extension;
    const char *group = input->group ? input->group : "";
    if (strcmp(name, "-") == 0) name = "stdin";
    const size_t size =
        strlen(o->output_dir) + strlen(name) + strlen(extension) + strlen(group) + sizeof PART + 4;
    char *path = malloc(size);
    if (!path) return NULL;
    const int n = snprintf(path, size, "%s/%s", o->output_dir, name);
    snprintf(path + n, size - (size_t)n, "%s%s.%s", *group ? "." : "", group, extension);
    *below = path + strlen(o->output_dir) + 1;
    for (char *c = path + n; *group && *c; c++)
        if (*c == '/') *c = '_';
    /* The slashes of a microphone's name; only files below a directory have others. */
    for (char *c = *below; !input->is_found && *c; c++)
        if (*c == '/') *c = '_';
    return path;
}

/* May a file with this status be written? */
static bool is_free(const struct stat *st)
{
    return S_ISREG(st->st_mode) && st->st_size == 0;
}

static int by_path(const void *a, const void *b)
{
    const output_path *x = a, *y = b;
    return strcmp(x->path, y->path);
}

/* Leave out the inputs whose files are there, and report how many are left. The paths follow. */
static void leave_out_done(input_list *list, output_path *paths)
{
    const size_t all = list->n;
    struct stat st;
    list->n = 0;
    for (size_t i = 0; i < all; i++) {
        if (lstat(paths[i].path, &st) == 0 && S_ISREG(st.st_mode)) {
            list->n_found -= list->items[i].is_found;
            listed_input_free(&list->items[i]);
            free(paths[i].path);
            continue;
        }
        paths[list->n] = paths[i];
        list->items[list->n++] = list->items[i];
    }
    if (list->n < all) report("--new-only: %zu of %zu inputs are new", list->n, all);
}

/* Groups have files of their own, which are checked as they come: then may_exist. */
static bool check(output_path *paths, size_t n, bool may_exist)
{
    struct stat st;
    qsort(paths, n, sizeof *paths, by_path);
    for (size_t i = 0; i < n; i++) {
        const char *path = paths[i].path;
        const bool is_shared = i > 0 && strcmp(paths[i - 1].path, path) == 0;
        const bool is_full = !may_exist && lstat(path, &st) == 0 && !is_free(&st);
        if (is_shared)
            report_of(path, "is the output file of two inputs, '%s' and '%s'", paths[i - 1].input,
                      paths[i].input);
        else if (is_full)
            report_of(path, "%s", IS_FULL);
        if (is_shared || is_full) return false;
    }
    return true;
}

bool output_files_check(const options *o, input_list *list)
{
    const bool has_groups = source_wants_groups(&o->shared.source);
    char *below;
    if (mkdir(o->output_dir, 0777) != 0 && errno != EEXIST) {
        report_of(o->output_dir, "%s", strerror(errno));
        return false;
    }
    output_path *paths = calloc(list->n + 1, sizeof *paths);
    bool good = paths != NULL;
    for (size_t i = 0; i < list->n && good; i++) {
        paths[i] = (output_path){path_of(o, &list->items[i], &below), list->items[i].path};
        good = paths[i].path != NULL;
    }
    if (good && o->new_only && !has_groups) leave_out_done(list, paths);
    good = good ? check(paths, list->n, has_groups) : report_no_memory(o->output_dir);
    for (size_t i = 0; paths && i < list->n; i++) free(paths[i].path);
    free(paths);
    return good;
}

bool output_file_is_done(const options *o, const listed_input *input)
{
    char *below, *path = path_of(o, input, &below);
    struct stat st;
    const bool is_done = path && lstat(path, &st) == 0 && S_ISREG(st.st_mode);
    free(path);
    return is_done;
}

bool output_file_is_shared(const listed_input *a, const listed_input *b)
{
    const char *x = a->group, *y = b->group;
    for (; *x && *y; x++, y++)
        if ((*x == '/' ? '_' : *x) != (*y == '/' ? '_' : *y)) return false;
    return *x == *y;
}

/* Go down into a folder, which is made if there is none. Closes `at`. Returns -1 with errno. */
static int enter(int at, const char *folder)
{
    const bool is_there = mkdirat(at, folder, 0777) == 0 || errno == EEXIST;
    const int inside =
        is_there ? openat(at, folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    const int failure = errno;
    close(at);
    errno = failure;
    return inside;
}

/* Open the folder of DIR/name, step by step. *name moves on to what is in it. Returns -1 with
 * errno. */
static int open_folder(const char *dir, char **name)
{
    int at = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    char *slash;
    for (; at >= 0 && (slash = strchr(*name, '/')); *name = slash + 1) {
        *slash = '\0';
        at = enter(at, *name);
        *slash = '/';
    }
    return at;
}

/* Open DIR/name. Returns -1 with errno; EEXIST: it is not empty, or no file. */
static int open_below(const char *dir, char *name, bool replaces)
{
    const int flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    const int at = open_folder(dir, &name);
    if (at < 0) return -1;
    struct stat st;
    int fd = openat(at, name, replaces ? flags | O_TRUNC : flags, 0666);
    int failure = errno;
    close(at);
    if (fd >= 0 && (fstat(fd, &st) != 0 || !is_free(&st))) {
        close(fd);
        fd = -1;
        failure = EEXIST;
    }
    errno = failure;
    return fd;
}

int output_file_open(const options *o, const listed_input *input, char **path)
{
    char *below;
    *path = path_of(o, input, &below);
    if (*path && o->new_only) strcat(*path, PART);
    const int fd = *path ? open_below(o->output_dir, below, o->new_only) : -1;
    if (!*path)
        report_no_memory(o->output_dir);
    else if (fd < 0)
        report_of(*path, "%s", errno == EEXIST ? IS_FULL : strerror(errno));
    return fd;
}

bool output_file_finish(const options *o, char *path)
{
    char *name = path + strlen(o->output_dir) + 1;
    const int at = open_folder(o->output_dir, &name);
    char *whole = at >= 0 ? strndup(name, strlen(name) - strlen(PART)) : NULL;
    const bool good = whole && renameat(at, name, at, whole) == 0;
    const int failure = errno;
    if (at >= 0) close(at);
    free(whole);
    if (!good) report_of(path, "%s", strerror(failure));
    return good;
}
