#include "dev/bench/machine.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "dev/bench/race.h"

#ifndef BENCH_FLAGS
#define BENCH_FLAGS "unknown"
#endif

#if defined(__clang__)
static const char compiler[] = __VERSION__;
#else
static const char compiler[] = "gcc " __VERSION__;
#endif

/* Linux on x86 names the model. Elsewhere we print the architecture. */
static void find_cpu(char *name, size_t size)
{
    struct utsname system;
    snprintf(name, size, "%s", uname(&system) == 0 ? system.machine : "unknown");
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon) continue;
        colon += 1 + strspn(colon + 1, " ");
        snprintf(name, size, "%.*s", (int)strcspn(colon, "\n"), colon);
        break;
    }
    if (file) fclose(file);
}

/* Registers, not constants: some processors add constants while they rename registers. */
static double measure_clock(void)
{
    enum { LOOPS = 2000000, ADDS = 8, ROUNDS = 5 };
    double best = 0;
    for (int round = 0; round < ROUNDS; round++) {
        unsigned long a = 1, b = 3;
        stopwatch begin = stopwatch_start();
        for (int i = 0; i < LOOPS; i++) {
#if defined(__x86_64__)
            __asm__ volatile("add %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\t"
                             "add %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\tadd %1, %0"
                             : "+r"(a)
                             : "r"(b));
#elif defined(__aarch64__)
            __asm__ volatile("add %0, %0, %1\n\tadd %0, %0, %1\n\tadd %0, %0, %1\n\t"
                             "add %0, %0, %1\n\tadd %0, %0, %1\n\tadd %0, %0, %1\n\t"
                             "add %0, %0, %1\n\tadd %0, %0, %1"
                             : "+r"(a)
                             : "r"(b));
#else
            for (int k = 0; k < ADDS; k++) __asm__ volatile("" : "+r"(a) : "r"(a + b));
#endif
        }
        lap spent = stopwatch_read(&begin);
        double ghz = 1e-9 * LOOPS * ADDS / spent.cpu_s;
        if (ghz > best) best = ghz;
    }
    return best;
}

machine machine_look(void)
{
    machine here = {
        .cores = sysconf(_SC_NPROCESSORS_ONLN), .compiler = compiler, .flags = BENCH_FLAGS};
    find_cpu(here.cpu, sizeof here.cpu);
    here.clock_ghz = measure_clock();
    return here;
}
