#include "tools/common/messages/out_of_memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

#include "tools/common/messages/messages.h"

static last_output_fn *write_output;
static void *output;
static pid_t owner; /* the process that has the output: a child has none */

void out_of_memory_set_output(last_output_fn *write, void *user)
{
    write_output = write;
    output = user;
    owner = getpid();
}

/* Only the first thread reports. No function of atexit(3) runs: those of libraries may allocate, or
 * wait for locks that this thread holds. */
void out_of_memory_exit(void)
{
    static atomic_flag is_ending = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&is_ending)) pause();
    report_to(NULL, NULL);
    if (write_output && getpid() == owner) write_output(output);
    report("out of memory");
    _exit(EXIT_ERROR);
}
