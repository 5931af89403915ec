#include "io/writers/sam_out.h"

#include "tests/io/writer_help.h"

static void a_pattern_is_the_read(void)
{
    const writer_match m = {.file = "g.fa",
                            .record = "chr1",
                            .label = "primer",
                            .strand = '-',
                            .start = 4,
                            .end = 8,
                            .score = 1,
                            .margin = NAN,
                            .letters = "ACGT",
                            .cigar = "3=1X",
                            .edits = 1};
    CHECK(help_same(help_line(&writer_sam, help_seconds, m),
                    "primer\t16\tchr1\t5\t255\t3=1X\t*\t0\t0\tACGT\t*\tNM:i:1\n"));
}

/* What sam_add_name makes of a name. */
static const char *named(const char *name)
{
    help_out.length = 0;
    sam_add_name(&help_out, name);
    text_add(&help_out, "", 1);
    return help_out.data;
}

static void names_are_those_that_sam_allows(void)
{
    char longest[300];
    CHECK(help_same(named("chr1:5-9|x/1"), "chr1:5-9|x/1"));
    CHECK(help_same(named("*a*"), "_a*"));
    CHECK(help_same(named("=a="), "_a="));
    CHECK(help_same(named("a b,c(d)\t\xc3\xa9"), "a_b_c_d____"));
    CHECK(help_same(named(""), "_"));
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    CHECK(strlen(named(longest)) == 254);
}

static void a_sequence_has_its_length(void)
{
    help_out.length = 0;
    sam_add_sequence(&help_out, "chr1", 248956422);
    text_add(&help_out, "", 1);
    CHECK(help_same(help_out.data, "@SQ\tSN:chr1\tLN:248956422\n"));
}

int main(void)
{
    RUN(a_pattern_is_the_read);
    RUN(names_are_those_that_sam_allows);
    RUN(a_sequence_has_its_length);
    return check_done();
}
