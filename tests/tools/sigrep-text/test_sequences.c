/* tools/sigrep-text/sequences.c: what precedes lines of SAM, and lines that memory lacks room for.
 */
#include "tools/sigrep-text/sequences.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "tests/check.h"

/* A buffer with this text, until the next call. */
static const text_buffer *text_of(const char *text)
{
    static text_buffer buffer;
    buffer.length = 0;
    text_add_string(&buffer, text);
    return &buffer;
}

static void lines_follow_the_sequences(void)
{
    static const char wanted[] = "head\n@SQ\tSN:a\tLN:7\n@SQ\tSN:b\tLN:9\nfirst\nsecond\n";
    char got[100] = "";
    int ends[2];
    sequences s = {0};
    CHECK(pipe(ends) == 0);
    CHECK(!sequences_hold(&s, text_of("first\n")) && !sequences_add(&s, "a", 7));
    CHECK(!sequences_hold(&s, text_of("second\n")) && !sequences_add(&s, "b", 9));
    CHECK(sequences_end(&s, text_of("head\n"), ends[1]) == 0);
    CHECK(read(ends[0], got, sizeof got - 1) > 0 && strcmp(got, wanted) == 0);
    sequences_free(&s);
    close(ends[0]);
    close(ends[1]);
}

static void a_name_comes_once(void)
{
    sequences s = {0};
    CHECK(!sequences_add(&s, "a", 7) && !sequences_add(&s, "b", 7));
    CHECK(sequences_add(&s, "a", 7) != NULL);
    sequences_free(&s);
}

static void lines_without_memory_were_lost_quietly(void)
{
    const text_buffer failed = {.failed = true};
    sequences s = {0};
    CHECK(sequences_hold(&s, &failed) != NULL);
    CHECK(sequences_end(&s, &failed, -1) == ENOMEM);
    sequences_free(&s);
}

int main(void)
{
    RUN(lines_follow_the_sequences);
    RUN(a_name_comes_once);
    RUN(lines_without_memory_were_lost_quietly);
    return check_done();
}
