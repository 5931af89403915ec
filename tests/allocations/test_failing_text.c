/* Searches of texts for strings, and alignments: each allocation fails once. */
#include <string.h>

#include "sigrep_text.h"
#include "tests/allocations/each_allocation.h"

enum { N = 5000, COPIES = 100 };

static char text[N];

static int count(void *user, const sigrep_text_match *match)
{
    *(size_t *)user += match->end - match->start;
    return 0;
}

/* Each copy in a text of its own. */
static sigrep_status search_texts(sigrep_text *search, size_t *letters)
{
    static size_t bounds[COPIES + 1];
    for (size_t i = 0; i <= COPIES; i++) bounds[i] = i * (N / COPIES);
    *letters = 0;
    const sigrep_status status = sigrep_text_search(search, text, bounds, COPIES);
    CHECK(status == SIGREP_NO_MEMORY || (!status && *letters == 6 * COPIES));
    return status;
}

static bool search_once(const void *user)
{
    const size_t *threads = user;
    const sigrep_text_pattern patterns[] = {{.letters = "needle", .length = 6},
                                            {.letters = "haystack", .length = 8, .reversed = 1}};
    size_t letters = 0;
    const sigrep_text_config config = {.size = sizeof config,
                                       .patterns = patterns,
                                       .n_patterns = 2,
                                       .edits = 1,
                                       .on_match = count,
                                       .user = &letters,
                                       .threads = *threads};
    sigrep_text *search;
    sigrep_status status = sigrep_text_create(&search, &config, NULL);
    CHECK((status == SIGREP_OK) == (search != NULL));
    if (!status) {
        status = sigrep_text_push(search, text, N);
        CHECK(status == SIGREP_OK || status == SIGREP_NO_MEMORY);
        CHECK(sigrep_text_finish(search) == SIGREP_OK && (status || letters == 6 * COPIES));
        letters = 0;
        CHECK(sigrep_text_push(search, "a needle", 8) == SIGREP_OK || status);
        CHECK(sigrep_text_finish(search) == SIGREP_OK && (letters == 6 || status));
        if (!status) status = search_texts(search, &letters);
    }
    sigrep_text_destroy(search);
    return status == SIGREP_OK;
}

static bool align_once(const void *user)
{
    static const float x[] = {0, 1, 3, 1, 0}, y[] = {0, 1, 1, 3, 3, 3, 1, 0};
    (void)user;
    sigrep_pair pairs[16];
    double distance = -1;
    size_t n = 0;
    sigrep_status status = sigrep_text_align("kitten", 6, "sitting", 7, NULL, &distance, pairs, &n);
    CHECK(status == SIGREP_NO_MEMORY || (distance == 3 && n == 6));
    if (!status) status = sigrep_text_align_signals(x, 5, y, 8, 1, &distance, pairs, &n);
    CHECK(status == SIGREP_NO_MEMORY || (distance == 0 && n == 8));
    return status == SIGREP_OK;
}

static void each_allocation_of_a_search(void)
{
    for (size_t i = 0; i < N; i++) text[i] = '.';
    for (size_t i = 0; i < COPIES; i++) memcpy(text + i * (N / COPIES), "needle", 6);
    for (size_t threads = 1; threads <= 2; threads++)
        each_allocation_fails("search", search_once, &threads);
}

static void each_allocation_of_alignments(void)
{
    each_allocation_fails("align", align_once, NULL);
}

int main(void)
{
    RUN(each_allocation_of_a_search);
    RUN(each_allocation_of_alignments);
    return check_done();
}
