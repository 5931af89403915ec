/* machine.h - processor, clock and compiler of a measurement. */
#ifndef DEV_BENCH_MACHINE_H
#define DEV_BENCH_MACHINE_H

typedef struct {
    char cpu[128];        /* the model's name */
    long cores;           /* that are online */
    double clock_ghz;     /* additions a second that wait for each other: one a cycle */
    const char *compiler; /* with its version */
    const char *flags;    /* of the build */
} machine;

machine machine_look(void);

#endif
