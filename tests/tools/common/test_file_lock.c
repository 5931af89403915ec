#include "tools/common/file_lock.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static char folder[] = "/tmp/sigrep-lock-XXXXXX";

static const char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* As another process finds it: 0 or an errno. */
static int taken_by_another(const char *path)
{
    int status = -1;
    const pid_t child = fork();
    if (child == 0) {
        file_lock lock;
        _exit(file_lock_take(&lock, path)); /* without dropping it, as kill -9 does */
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void one_process_at_a_time(void)
{
    file_lock lock, again;
    CHECK(file_lock_take(&lock, path_of("a")) == 0);
    CHECK(taken_by_another(path_of("a")) == EWOULDBLOCK);
    CHECK(taken_by_another(path_of("b")) == 0);
    CHECK(file_lock_take(&again, path_of("a")) == EWOULDBLOCK); /* nor twice by one */
    file_lock_drop(&again);
    CHECK(taken_by_another(path_of("a")) == EWOULDBLOCK);
    file_lock_drop(&lock);
    CHECK(access(path_of("a.lock"), F_OK) != 0);
    CHECK(taken_by_another(path_of("a")) == 0);
    CHECK(access(path_of("a.lock"), F_OK) == 0); /* it ended with the lock ... */
    CHECK(file_lock_take(&lock, path_of("a")) == 0);
    file_lock_drop(&lock);
}

static void the_lock_survives_the_file(void)
{
    file_lock lock;
    FILE *file = fopen(path_of("c"), "w");
    CHECK(file != NULL);
    if (file) fclose(file);
    CHECK(file_lock_take(&lock, path_of("c")) == 0);
    char next[256];
    snprintf(next, sizeof next, "%s", path_of("c.next"));
    file = fopen(next, "w");
    if (file) fclose(file);
    CHECK(rename(next, path_of("c")) == 0);
    CHECK(taken_by_another(path_of("c")) == EWOULDBLOCK);
    file_lock_drop(&lock);
}

static void a_link_has_the_lock_of_its_file(void)
{
    file_lock lock;
    FILE *file = fopen(path_of("d"), "w");
    if (file) fclose(file);
    CHECK(symlink("d", path_of("link")) == 0);
    CHECK(file_lock_take(&lock, path_of("d")) == 0);
    CHECK(taken_by_another(path_of("link")) == EWOULDBLOCK);
    file_lock_drop(&lock);
}

static void no_folder_no_lock(void)
{
    file_lock lock;
    CHECK(file_lock_take(&lock, path_of("none/e")) == ENOENT);
    file_lock_drop(&lock);
}

int main(void)
{
    if (!mkdtemp(folder)) return check_skipped("file_lock", "no temporary folder");
    RUN(one_process_at_a_time);
    RUN(the_lock_survives_the_file);
    RUN(a_link_has_the_lock_of_its_file);
    RUN(no_folder_no_lock);
    static const char *const names[] = {"a.lock", "b.lock", "c", "c.lock", "d", "d.lock", "link"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) unlink(path_of(names[i]));
    CHECK(rmdir(folder) == 0);
    return check_done();
}
