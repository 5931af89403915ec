/* filter/cli/common/bundle_file.c. Messages about bad files: tests/cli/bad_bundles. */
#include "filter/cli/common/bundle_file.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/filter/bundle/bundle_help.h"

static char path[] = "/var/tmp/bundle.XXXXXX";

static void a_name_ends_as_it_should(void)
{
    CHECK(bundle_is_named("a.sigrep") && bundle_is_named("dir.d/.a.sigrep"));
    CHECK(!bundle_is_named(".sigrep") && !bundle_is_named("sigrep") && !bundle_is_named("a.wav"));
}

static void a_saved_bundle_loads(void)
{
    bundle *b = small_bundle();
    CHECK(bundle_save(b, path));
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
    bundle *b = small_bundle();
    b->labels[0].threshold = 7;
    CHECK(bundle_save(b, path));
    CHECK(stat(path, &st) == 0 && (st.st_mode & 0777) == 0640);
    bundle *again = bundle_load(path);
    CHECK(again && again->labels[0].threshold == 7);
    sigrep_bundle_destroy(again);
    sigrep_bundle_destroy(b);
}

int main(void)
{
    const int fd = mkstemp(path);
    CHECK(fd >= 0 && close(fd) == 0);
    RUN(a_name_ends_as_it_should);
    RUN(a_saved_bundle_loads);
    RUN(saving_replaces_the_file);
    unlink(path);
    return check_done();
}
