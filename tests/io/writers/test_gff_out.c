#include "tests/io/writer_help.h"

static const writer_match site = {.file = "g.fa",
                                  .record = "chr1",
                                  .label = "primer",
                                  .strand = '-',
                                  .start = 4,
                                  .end = 24,
                                  .score = 2,
                                  .margin = NAN};

static void positions_count_from_1(void)
{
    CHECK(help_same(help_line(&writer_gff, help_seconds, site),
                    "chr1\tsigrep-text\tnucleotide_match\t5\t24\t2\t-\t.\tName=primer\n"));
}

static void names_are_escaped(void)
{
    writer_match m = site;
    m.record = ">a;b=c,d&e%f g";
    m.label = "a\tb";
    m.strand = '.';
    CHECK(help_same(help_line(&writer_gff, help_seconds, m),
                    "%3Ea%3Bb%3Dc%2Cd%26e%25f%20g\tsigrep-text\tmatch\t5\t24\t2\t.\t.\t"
                    "Name=a%09b\n"));
}

/* A line that begins with # is a comment, and no field is empty. */
static void a_name_makes_no_comment_and_no_empty_field(void)
{
    static const char rest[] = "\tsigrep-text\tnucleotide_match\t5\t24\t2\t-\t.\tName=a#\n";
    char wanted[100];
    writer_match m = site;
    m.label = "a#";
    m.record = "#1";
    snprintf(wanted, sizeof wanted, "%%231%s", rest);
    CHECK(help_same(help_line(&writer_gff, help_seconds, m), wanted));
    m.record = "";
    snprintf(wanted, sizeof wanted, ".%s", rest);
    CHECK(help_same(help_line(&writer_gff, help_seconds, m), wanted));
}

static void the_first_line_has_the_version(void)
{
    help_out.length = 0;
    writer_gff.header(&help_out, &help_seconds);
    text_add(&help_out, "", 1);
    CHECK(help_same(help_out.data, "##gff-version 3\n"));
}

int main(void)
{
    RUN(positions_count_from_1);
    RUN(names_are_escaped);
    RUN(a_name_makes_no_comment_and_no_empty_field);
    RUN(the_first_line_has_the_version);
    return check_done();
}
