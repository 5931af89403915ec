/*
 * out_of_memory.h - how a program ends if a library gets no memory (library_memory.c).
 *
 *     a library's malloc fails --> out_of_memory_exit --> last output, "out of memory", status 2
 */
#ifndef TOOLS_COMMON_MESSAGES_OUT_OF_MEMORY_H
#define TOOLS_COMMON_MESSAGES_OUT_OF_MEMORY_H

/* Writes output that waits. Any thread may call it, at any time, once; then the process ends. It
 * may not allocate. */
typedef void last_output_fn(void *user);

/* Call `write` before the process ends so, but not in a child of it. NULL: nothing waits. Not while
 * other threads run. */
void out_of_memory_set_output(last_output_fn *write, void *user);

/* Write the last output, report, and end the process with status 2. */
_Noreturn void out_of_memory_exit(void);

#endif
