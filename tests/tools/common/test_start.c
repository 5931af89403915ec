#include "tools/common/start.h"

#include <string.h>
#include <unistd.h>

#include "check.h"

#ifdef __GLIBC__
/* The bug: libsndfile's "alac_pakt_read_decode: Ooops!" stood among the matches. */
static void libraries_print_nothing_among_matches(void)
{
    FILE *const own = stdout, *const file = tmpfile();
    const int saved = dup(STDERR_FILENO);
    char text[32] = "";
    if (!file || dup2(fileno(file), STDERR_FILENO) < 0) abort();
    start_program();
    printf("%s", "words");
    fflush(NULL);
    stdout = own;
    dup2(saved, STDERR_FILENO);
    close(saved);
    rewind(file);
    CHECK(fread(text, 1, sizeof text - 1, file) == 5 && strcmp(text, "words") == 0);
    fclose(file);
}

int main(void)
{
    RUN(libraries_print_nothing_among_matches);
    return check_done();
}
#else
int main(void)
{
    return check_skipped("start", "this C library does not let stdout change");
}
#endif
