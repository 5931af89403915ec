#include "tests/io/writer_help.h"

static const writer_match site = {.file = "g.fa",
                                  .record = "chr1:5-9",
                                  .label = "primer",
                                  .strand = '-',
                                  .start = 4,
                                  .end = 24,
                                  .score = 2,
                                  .threshold = 3,
                                  .margin = NAN};

static void a_line_has_six_fields(void)
{
    CHECK(help_same(help_line(&writer_bed, help_seconds, site), "chr1:5-9\t4\t24\tprimer\t2\t-\n"));
}

static void a_text_without_records_has_its_file(void)
{
    writer_match m = site;
    m.record = NULL;
    m.strand = '.';
    CHECK(help_same(help_line(&writer_bed, help_seconds, m), "g.fa\t4\t24\tprimer\t2\t.\n"));
}

static void a_name_is_no_header(void)
{
    writer_match m = site;
    m.record = "track";
    CHECK(help_same(help_line(&writer_bed, help_seconds, m), "\\x74rack\t4\t24\tprimer\t2\t-\n"));
    m.record = "browser_1";
    CHECK(
        help_same(help_line(&writer_bed, help_seconds, m), "\\x62rowser_1\t4\t24\tprimer\t2\t-\n"));
    m.record = "#1";
    CHECK(help_same(help_line(&writer_bed, help_seconds, m), "\\x231\t4\t24\tprimer\t2\t-\n"));
    m.record = "#";
    CHECK(help_same(help_line(&writer_bed, help_seconds, m), "\\x23\t4\t24\tprimer\t2\t-\n"));
}

static void a_record_without_a_name_is_a_dot(void)
{
    writer_match m = site;
    m.record = "";
    CHECK(help_same(help_line(&writer_bed, help_seconds, m), ".\t4\t24\tprimer\t2\t-\n"));
}

static void names_make_no_fields(void)
{
    writer_match m = site;
    m.label = "a\tb\n";
    CHECK(help_same(help_line(&writer_bed, help_seconds, m), "chr1:5-9\t4\t24\ta\\tb\\n\t2\t-\n"));
}

static void a_score_is_1000_at_most(void)
{
    writer_match m = site;
    m.score = 70000;
    CHECK(help_same(help_line(&writer_bed, help_seconds, m), "chr1:5-9\t4\t24\tprimer\t1000\t-\n"));
}

int main(void)
{
    RUN(a_line_has_six_fields);
    RUN(a_text_without_records_has_its_file);
    RUN(a_name_is_no_header);
    RUN(a_record_without_a_name_is_a_dot);
    RUN(names_make_no_fields);
    RUN(a_score_is_1000_at_most);
    return check_done();
}
