/* tools/common/templates/bundle_file.c. Messages about bad files: tests/cli/bad_bundles. */
#include "tools/common/templates/bundle_file.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/filter/bundle/bundle_help.h"

static char folder[] = "/var/tmp/bundles.XXXXXX";
static const char path[] = "w.sigrep", link_path[] = "link.sigrep";

/* What the next calls do, and what they were given. They stand in for those of the C library. */
static struct {
    int fsync_failure, rename_failure, signal;
    int files, folders; /* that were stored */
    bool renamed, renamed_before_folder;
} calls;

int fsync(int fd)
{
    struct stat st;
    CHECK(fstat(fd, &st) == 0);
    calls.renamed_before_folder = calls.renamed;
    *(S_ISDIR(st.st_mode) ? &calls.folders : &calls.files) += 1;
    if (calls.signal) raise(calls.signal);
    errno = calls.fsync_failure;
    return errno ? -1 : 0;
}

int rename(const char *from, const char *to)
{
    calls.renamed = true;
    errno = calls.rename_failure;
    return errno ? -1 : renameat(AT_FDCWD, from, AT_FDCWD, to);
}

static bool nothing_is_left_beside(void)
{
    glob_t found;
    char pattern[sizeof path + 2];
    snprintf(pattern, sizeof pattern, "%s.*", path);
    const bool nothing = glob(pattern, 0, NULL, &found) == GLOB_NOMATCH;
    if (!nothing) globfree(&found);
    return nothing;
}

/* Save a bundle with this threshold. */
static bool save(double threshold)
{
    bundle *b = small_bundle();
    b->labels[0].threshold = threshold;
    const bool good = bundle_save(b, path, false);
    sigrep_bundle_destroy(b);
    return good;
}

static bool holds(double threshold)
{
    bundle *b = bundle_load(path);
    const bool same = b && b->labels[0].threshold == threshold;
    sigrep_bundle_destroy(b);
    return same;
}

static void a_name_ends_as_it_should(void)
{
    CHECK(bundle_is_named("a.sigrep") && bundle_is_named("dir.d/.a.sigrep"));
    CHECK(!bundle_is_named(".sigrep") && !bundle_is_named("sigrep") && !bundle_is_named("a.wav"));
}

static void a_saved_bundle_loads(void)
{
    bundle *b = small_bundle();
    CHECK(bundle_save(b, path, false));
    bundle *again = bundle_load(path);
    CHECK(again && again->n_templates == b->n_templates);
    sigrep_bundle_destroy(again);
    sigrep_bundle_destroy(b);
}

/* The new file takes over the permissions, and nothing is left beside it. */
static void saving_replaces_the_file(void)
{
    struct stat st;
    CHECK(chmod(path, 0640) == 0);
    CHECK(save(7) && holds(7) && nothing_is_left_beside());
    CHECK(stat(path, &st) == 0 && (st.st_mode & 0777) == 0640);
}

static void the_folder_is_stored_after_the_rename(void)
{
    calls.files = calls.folders = 0;
    calls.renamed = false;
    CHECK(save(8) && calls.files == 1 && calls.folders == 1 && calls.renamed_before_folder);
}

static void a_failure_changes_nothing_and_leaves_nothing(void)
{
    calls.fsync_failure = EIO;
    CHECK(!save(1) && holds(8) && nothing_is_left_beside());
    calls.fsync_failure = 0;
    calls.rename_failure = EACCES;
    CHECK(!save(2) && holds(8) && nothing_is_left_beside());
    calls.rename_failure = 0;
}

static void a_signal_leaves_no_file_behind(void)
{
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        calls.signal = SIGTERM;
        (void)save(9);
        _exit(0);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    CHECK(holds(9) && nothing_is_left_beside());
}

static bool is_link(const char *name)
{
    struct stat st;
    return lstat(name, &st) == 0 && S_ISLNK(st.st_mode);
}

static void links_stay_links(void)
{
    bundle *b = small_bundle();
    b->labels[0].threshold = 10;
    CHECK(symlink(path, link_path) == 0);
    CHECK(bundle_save(b, link_path, false) && holds(10) && is_link(link_path));
    CHECK(unlink(link_path) == 0 && symlink("missing", link_path) == 0);
    CHECK(!bundle_save(b, link_path, false) && is_link(link_path) && unlink(link_path) == 0);
    sigrep_bundle_destroy(b);
}

int main(void)
{
    if (!mkdtemp(folder) || chdir(folder) != 0) return 2;
    RUN(a_name_ends_as_it_should);
    RUN(a_saved_bundle_loads);
    RUN(saving_replaces_the_file);
    RUN(the_folder_is_stored_after_the_rename);
    RUN(a_failure_changes_nothing_and_leaves_nothing);
    RUN(a_signal_leaves_no_file_behind);
    RUN(links_stay_links);
    CHECK(unlink(path) == 0 && rmdir(folder) == 0);
    return check_done();
}
