/* worker_source.c - how a worker opens its input, also again, closes it, and who hears of it. */
#include "tools/sigrep/worker.h"

source_options worker_source_options(const worker *w)
{
    const options *o = w->run->o;
    source_options how = o->shared.source;
    how.keep_lines = how.keep_native = o->save_folder != NULL;
    how.wake_fd = w->run->wake_fd;
    return how;
}

void worker_close_source(worker *w)
{
    source_close(w->src);
    w->src = NULL;
}

service *worker_service(const worker *w)
{
    return w->out.input.lines ? NULL : w->run->service;
}
