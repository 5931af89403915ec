/* state_file.c - read and write the file of --state. */
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "tools/common/file_read.h"
#include "tools/common/file_replace.h"
#include "tools/common/messages/messages.h"
#include "tools/sigrep/state/inner.h"
#include "tools/sigrep/state/options_text.h"

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
        report_of(s->path,
                  "is the state of a run with another %s: give the same options" STATE_ANEW,
                  option);
        return false;
    }
    if (wrong) report_of(s->path, "%s" STATE_ANEW, wrong);
    return !wrong;
}

bool run_state_load(run_state *s)
{
    const int failure = file_read(s->path, SIZE_MAX, &s->file);
    if (failure && failure != ENOENT) {
        report_of(s->path, "%s", failure == ENOMEM ? "out of memory" : strerror(failure));
        return false;
    }
    if (s->file.length == 0) return true;
    const char *wrong = saved_read(&s->before, (const unsigned char *)s->file.data, s->file.length);
    const bool lacks_memory = wrong && strcmp(wrong, "out of memory") == 0;
    if (wrong) report_of(s->path, "%s%s", wrong, lacks_memory ? "" : STATE_ANEW);
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
