#include "io/text_buffer.h"

#include <string.h>

#include "check.h"

static bool is(const text_buffer *text, const char *wanted)
{
    const size_t n = strlen(wanted);
    return !text->failed && text->length == n && memcmp(text->data, wanted, n) == 0;
}

static void text_grows(void)
{
    text_buffer text = {0};
    for (int i = 0; i < 100000; i++) text_add_format(&text, "%05d", i);
    CHECK(text.length == 500000 && !text.failed);
    CHECK(memcmp(text.data + 5 * 77777, "77777", 5) == 0);
    free(text.data);
}

static void pieces_are_joined(void)
{
    text_buffer text = {0};
    text_add(&text, "", 0);
    CHECK(text.length == 0 && !text.data);
    text_add(&text, "a\0b", 3);
    CHECK(text.length == 3 && memcmp(text.data, "a\0b", 3) == 0);
    text.length = 0;
    text_add_string(&text, "one ");
    text_add_format(&text, "%d%s", 2, "");
    text_add_format(&text, "%s", "");
    CHECK(is(&text, "one 2"));
    free(text.data);
}

static void control_characters_are_escaped_and_no_others(void)
{
    text_buffer text = {0};
    text_add_escaped(&text, "\t\n\r\x1b\x7f \\ \xc3\xa4\xff\xc2\x9b");
    CHECK(is(&text, "\\t\\n\\r\\x1b\\x7f \\ \xc3\xa4\\xff\\u009b"));
    free(text.data);
}

static void nothing_is_added_after_a_failure(void)
{
    text_buffer text = {.failed = true};
    text_add(&text, "x", 1);
    text_add_format(&text, "%d", 1);
    CHECK(text.failed && text.length == 0 && !text.data);
}

int main(void)
{
    RUN(text_grows);
    RUN(pieces_are_joined);
    RUN(control_characters_are_escaped_and_no_others);
    RUN(nothing_is_added_after_a_failure);
    return check_done();
}
