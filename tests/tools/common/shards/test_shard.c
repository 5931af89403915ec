/* tools/common/shards/shard.c: what a shard is called and prints, written and read. */
#include "tools/common/shards/shard.h"

#include <string.h>

#include "tests/check.h"

/* The text as a string, without its last newline; valid until the next call. */
static const char *text_of(text_buffer *out)
{
    static char text[512];
    size_t n = out->length < sizeof text ? out->length : sizeof text - 1;
    memcpy(text, out->data, n);
    if (n > 0 && text[n - 1] == '\n') n--;
    text[n] = '\0';
    free(out->data);
    *out = (text_buffer){0};
    return text;
}

static void names_are_read_as_they_were_written(void)
{
    static const char *const bad[] = {
        "1/18446744073709551615:0.1.0:1a81db28:8-1-4", /* regression: one more is none */
        "",
        "1",
        "1/2",
        "1/2:0.1.0:0",
        "0/2:0.1.0:1a:1-2-3",
        "3/2:0.1.0:1a:1-2-3",
        "1/2:0.1.0:1a:1-2-3 ",
        "1/2::1a:1-2-3",
        "1/2:0.1.0:1a:1-2-3:4",
        "x1/2:0.1.0:1a:1-2-3"};
    shard_name name;
    text_buffer out = {0};
    CHECK(shard_name_parse(&name, "17/64:0.1.0:1a81db28:80000-1795868984-4781199e"));
    CHECK(name.number == 17 && name.count == 64 && name.options == 0x1a81db28);
    CHECK(!strcmp(name.version, "0.1.0") && !strcmp(name.file, "80000-1795868984-4781199e"));
    shard_name_add(&out, &name);
    CHECK(!strcmp(text_of(&out), "17/64:0.1.0:1a81db28:80000-1795868984-4781199e"));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_MSG(!shard_name_parse(&name, bad[i]), "%s", bad[i]);
}

static void heads_are_read_as_they_were_written(void)
{
    static const char line[] =
        "sigrep-shard 1 2/3:0.1.0:0000001a:1-2-3 8-end 0.30000000000000004 a b";
    static const char *const bad[] = {"sigrep-shard 2 2/3:0.1.0:1a:1-2-3 8-16 0 a",
                                      "sigrep-shard 1 2/3:0.1.0:1a:1-2-3 16-8 0 a",
                                      "sigrep-shard 1 2/3:0.1.0:1a:1-2-3 8-16 a",
                                      "sigrep-shard 1 2/3:0.1.0:1a:1-2-3 8-16 0",
                                      "sigrep-shard 1 2/3:0.1.0:1a:1-2-3 8- 0 a",
                                      "12 0 3 4 5",
                                      ""};
    shard_head head;
    text_buffer out = {0};
    CHECK(shard_head_parse(&head, line));
    CHECK(head.begin == 8 && head.end == UINT64_MAX && head.hold == 0.1 + 0.2);
    CHECK(!strcmp(head.path, "a b"));
    shard_head_add(&out, &head);
    CHECK(!strcmp(text_of(&out), line));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_MSG(!shard_head_parse(&head, bad[i]), "%s", bad[i]);
}

static void matches_are_read_as_they_were_written(void)
{
    static const char *const bad[] = {"4 1 2 3", "4 1 3 3 5", "4 99999999 2 3 5", "4 1 2 3 5 6",
                                      "end"};
    shard_match match;
    text_buffer out = {0};
    CHECK(shard_match_parse(&match, "40 1 20 30 5"));
    CHECK(match.final == 40 && match.label == 1 && match.start == 20 && match.end == 30);
    shard_match_add(&out, &match, "line\n");
    CHECK(!strcmp(text_of(&out), "40 1 20 30 5\nline"));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_MSG(!shard_match_parse(&match, bad[i]), "%s", bad[i]);
}

static void ends_are_read_as_they_were_written(void)
{
    static const char *const lines[] = {"end 256 3 00ab12cd", "end end 0 ffffffff"};
    static const char *const bad[] = {"end", "end 256 3", "end 256 3 00ab12cd 1", "end x 3 1",
                                      "ended"};
    for (size_t i = 0; i < 2; i++) {
        shard_end end;
        text_buffer out = {0};
        CHECK(shard_end_parse(&end, lines[i]));
        CHECK(end.join == (i ? UINT64_MAX : 256) && end.matches == (i ? 0 : 3));
        shard_end_add(&out, &end);
        CHECK(!strcmp(text_of(&out), lines[i]));
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        shard_end end;
        CHECK_MSG(!shard_end_parse(&end, bad[i]), "%s", bad[i]);
    }
}

static void headers_have_their_length(void)
{
    uint64_t n;
    text_buffer out = {0};
    shard_header_add(&out, "a,b\n", 4);
    CHECK(!strcmp(text_of(&out), "header 4\na,b"));
    CHECK(shard_header_parse(&n, "header 4") && n == 4);
    CHECK(!shard_header_parse(&n, "header") && !shard_header_parse(&n, "header 4 "));
}

int main(void)
{
    RUN(names_are_read_as_they_were_written);
    RUN(heads_are_read_as_they_were_written);
    RUN(matches_are_read_as_they_were_written);
    RUN(ends_are_read_as_they_were_written);
    RUN(headers_have_their_length);
    return check_done();
}
