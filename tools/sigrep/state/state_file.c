/* state_file.c - read and write the file of --state. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/fdio.h"
#include "tools/common/file_replace.h"
#include "tools/common/messages/messages.h"
#include "tools/sigrep/state/inner.h"
#include "tools/sigrep/state/options_text.h"

enum { READ_BYTES = 1 << 16 };

#define ANEW "; remove this file to begin anew"

/* NULL, or what is wrong. A file that is not there is empty. */
static const char *read_file(run_state *s)
{
    const int fd = open(s->path, O_RDONLY | O_CLOEXEC);
    ssize_t n = 1;
    if (fd < 0) return errno == ENOENT ? NULL : strerror(errno);
    while (n > 0 && text_reserve(&s->file, READ_BYTES)) {
        n = fd_read(fd, -1, s->file.data + s->file.length, READ_BYTES);
        if (n > 0) s->file.length += (size_t)n;
    }
    const int failure = errno;
    close(fd);
    return s->file.failed ? "out of memory" : n < 0 ? strerror(failure) : NULL;
}

output_place run_state_output(const saved *s, const saved_place *p)
{
    return (output_place){s->output_is_file, s->output_device, s->output_inode,
                          p->output,         s->output_end,    s->output_end_is_known};
}

/* Does the state fit this run? If not, reports so. */
static bool check(const run_state *s)
{
    const saved *b = &s->before;
    char option[64];
    const output_place place = run_state_output(b, &b->here);
    const char *wrong = output_place_refuses(&place);
    if (options_text_differ((const char *)b->options.bytes, b->options.n, &s->options_text, option,
                            sizeof option)) {
        report_of(s->path, "is the state of a run with another %s: give the same options" ANEW,
                  option);
        return false;
    }
    if (wrong) report_of(s->path, "%s" ANEW, wrong);
    return !wrong;
}

bool run_state_load(run_state *s)
{
    const char *wrong = read_file(s);
    if (wrong) {
        report_of(s->path, "%s", wrong);
        return false;
    }
    if (s->file.length == 0) return true;
    wrong = saved_read(&s->before, (const unsigned char *)s->file.data, s->file.length);
    const bool lacks_memory = wrong && strcmp(wrong, "out of memory") == 0;
    if (wrong) report_of(s->path, "%s%s", wrong, lacks_memory ? "" : ANEW);
    return !wrong && check(s);
}

int run_state_write(run_state *s, saved *content)
{
    const output_place place = output_place_now();
    content->output_is_file = place.is_file;
    content->output_device = place.device;
    content->output_inode = place.inode;
    content->output_end = place.at;
    content->output_end_is_known = s->is_closing;
    int failure = saved_write(content, &s->bytes) ? output_place_store(&place) : ENOMEM;
    if (!failure) failure = file_replace_again(s->path, s->bytes.data, s->bytes.length);
    s->is_written |= !failure;
    return failure;
}

int run_state_write_start(run_state *s)
{
    saved *b = &s->before;
    b->here.output = b->end.output = output_place_now().at;
    return run_state_write(s, b);
}

void run_state_write_end(run_state *s)
{
    const text_buffer last = s->bytes;
    saved content;
    s->bytes = s->file;
    s->file = last;
    s->is_closing = true;
    if (!saved_read(&content, (const unsigned char *)last.data, last.length))
        (void)run_state_write(s, &content); /* else the file says that its run was killed */
    saved_free(&content);
}
