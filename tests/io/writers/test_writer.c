#include "io/writers/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "tests/io/writer_help.h"

static void formats_have_names(void)
{
    CHECK(writer_find("text") == &writer_text && writer_find("labels") == &writer_labels);
    CHECK(writer_find("csv") == &writer_csv && writer_find("json") == &writer_json);
    CHECK(writer_find("raven") == &writer_raven && !writer_find_sequence("raven"));
    CHECK(!writer_find("") && !writer_find("JSON"));
    CHECK(!writer_find("bed") && writer_find_sequence("bed") == &writer_bed);
    CHECK(writer_find_sequence("gff") == &writer_gff && writer_find_sequence("sam") == &writer_sam);
    CHECK(writer_find_sequence("json") == &writer_json && !writer_find_sequence("labels"));
}

static void lines_leave_whole_and_failures_are_reported(void)
{
    int ends[2];
    char got[256];
    CHECK(pipe(ends) == 0);
    writer w;
    CHECK(writer_init(&w, &writer_csv, help_seconds, ends[1]));
    CHECK(writer_flush(&w) == 0);
    writer_begin(&w);
    CHECK(writer_add(&w, &help_match));
    writer_end(&w);
    CHECK(writer_flush(&w) == 0 && w.out.length == 0);
    ssize_t n = read(ends[0], got, sizeof got);
    CHECK(n == 61 + 44 && memcmp(got, "file,label,", 11) == 0 && got[n - 1] == '\n');
    writer_free(&w);
    close(ends[0]);
    close(ends[1]);
    CHECK(writer_init(&w, &writer_text, help_seconds, open("/dev/full", O_WRONLY)));
    CHECK(writer_add(&w, &help_match));
    CHECK(writer_flush(&w) == ENOSPC);
    close(w.fd);
    w.out.failed = true;
    CHECK(writer_flush(&w) == ENOMEM);
    writer_free(&w);
}

int main(void)
{
    RUN(formats_have_names);
    RUN(lines_leave_whole_and_failures_are_reported);
    return check_done();
}
