#include "tools/common/messages/messages.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "io/escape.h"
#include "io/fdio.h"

enum { LINE = 4096, LONG = 20000 };

static char written[2 * LINE];
static size_t n_written, n_writes;

/* In place of write: what would reach standard error. */
static ssize_t keep(int fd, const void *bytes, size_t size)
{
    CHECK(fd == STDERR_FILENO && n_written + size < sizeof written);
    memcpy(written + n_written, bytes, size);
    n_written += size;
    written[n_written] = '\0';
    n_writes++;
    return (ssize_t)size;
}

static void keep_writes(bool kept)
{
    static const fd_calls calls = {.read = read, .write = keep, .poll = poll};
    fd_set_calls(kept ? &calls : NULL);
    if (kept) n_written = n_writes = 0;
}

/* Report these, and keep what was written. */
static void report_kept(const char *name, const char *words)
{
    keep_writes(true);
    if (name)
        report_of(name, "%s", words);
    else
        report("%s", words);
    keep_writes(false);
}

static bool is_utf8(const char *text)
{
    for (size_t n; *text; text += n)
        if ((n = utf8_first(text)) == 0) return false;
    return true;
}

static const char *many(const char *piece, const char *end)
{
    static char text[LONG];
    size_t n = 0;
    while (n + strlen(piece) + strlen(end) + 1 < sizeof text)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s", piece);
    strcpy(text + n, end);
    return text;
}

static void a_message_is_one_line_in_one_write(void)
{
    report_kept("a\nb", "c\nd");
    CHECK(n_writes == 1 && strcmp(written, "sigrep: a\\nb: c\\nd\n") == 0);
    report_kept(NULL, "words");
    CHECK(n_writes == 1 && strcmp(written, "sigrep: words\n") == 0);
}

/* Words can hold names, labels, and what libraries say. */
static void words_are_escaped_as_names_are(void)
{
    report_kept("x\xc2\x9b\x1b", "label '\xe2\x80\xae\x9b'");
    CHECK(strcmp(written, "sigrep: x\\u009b\\x1b: label '\\u202e\\x9b'\n") == 0);
}

static void a_long_name_keeps_its_ends(void)
{
    report_kept(many("\xc3\xa4", "/end.wav"), "No such file");
    CHECK(n_writes == 1 && n_written < LINE && is_utf8(written));
    CHECK(strstr(written, "sigrep: \xc3\xa4") == written);
    CHECK(strstr(written, "\xc3\xa4...\xc3\xa4"));
    CHECK(strstr(written, "/end.wav: No such file\n"));
}

static void long_words_keep_their_ends(void)
{
    static const char *const pieces[] = {"\x1b", "\xe2\x80\xae", "\xf0\x9f\x90\x8b", "x"};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        char name[LONG];
        strcpy(name, many(pieces[i], ""));
        report_kept(name, many(pieces[i], ""));
        CHECK_MSG(n_writes == 1 && n_written <= LINE && is_utf8(written), "%zu", i);
        CHECK(written[n_written - 1] == '\n' && strchr(written, '\n') == written + n_written - 1);
        report_kept(NULL, many(pieces[i], ""));
        CHECK_MSG(n_writes == 1 && n_written <= LINE && is_utf8(written), "%zu", i);
        CHECK(strstr(written, "..."));
    }
    char words[LINE + 100];
    snprintf(words, sizeof words, "'%.*s': not a number", LINE, many("7", ""));
    report_kept(NULL, words);
    CHECK(n_written <= LINE && strstr(written, "7': not a number\n"));
}

static void a_wrong_command_line_is_one_write(void)
{
    keep_writes(true);
    report_usage("sigrep ARGUMENT", NULL);
    keep_writes(false);
    CHECK(n_writes == 1 && strcmp(written, "Usage: sigrep ARGUMENT\nTry 'sigrep --help'.\n") == 0);
    keep_writes(true);
    report_usage("sigrep ARGUMENT", many("\x1b", ""));
    keep_writes(false);
    CHECK(n_writes == 1 && strstr(written, "\\x1b\nTry 'sigrep --help'.\n") && is_utf8(written));
}

/* What report_display has written to the pipe. */
static void read_display(int fd)
{
    const ssize_t n = read(fd, written, sizeof written - 1);
    written[n > 0 ? n : 0] = '\0';
}

static void a_display_is_redrawn_in_place(void)
{
    int ends[2];
    CHECK(pipe(ends) == 0);
    report_display(ends[1], "a\r\nb\r\nc");
    read_display(ends[0]);
    CHECK(strcmp(written, "a\r\nb\r\nc") == 0);
    report_display(ends[1], "d\r\ne");
    read_display(ends[0]);
    CHECK(strcmp(written, "\r\033[K\033[A\033[K\033[A\033[Kd\r\ne") == 0);
    report_kept(NULL, "words");
    CHECK(strcmp(written, "\r\033[K\033[A\033[Ksigrep: words\n") == 0);
    report_kept(NULL, "words");
    CHECK(strcmp(written, "sigrep: words\n") == 0);
    close(ends[0]);
    close(ends[1]);
}

static void a_display_without_room_is_left_out(void)
{
    int ends[2];
    CHECK(pipe(ends) == 0 && fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0);
    report_display(ends[1], "a\r\nb");
    static const char filling[4096];
    while (write(ends[1], filling, sizeof filling) > 0) continue;
    report_display(ends[1], "c");
    report_kept(NULL, "words");
    CHECK(strcmp(written, "\r\033[K\033[A\033[Ksigrep: words\n") == 0);
    close(ends[0]);
    close(ends[1]);
}

int main(void)
{
    RUN(a_display_is_redrawn_in_place);
    RUN(a_display_without_room_is_left_out);
    RUN(a_message_is_one_line_in_one_write);
    RUN(words_are_escaped_as_names_are);
    RUN(a_long_name_keeps_its_ends);
    RUN(long_words_keep_their_ends);
    RUN(a_wrong_command_line_is_one_write);
    return check_done();
}
