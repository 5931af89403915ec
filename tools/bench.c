/*
 * bench.c - cells per second of every kernel that this machine can run, as a user meets
 * them: the whole program over a file, start and reading included, the best of R runs by
 * the monotonic clock. A cell is one template sample against one stream sample.
 *
 *     bench SIGREP FOLDER [M [N [R]]]     M template samples, N stream samples
 *
 * Both are random walks with a fixed seed, as raw float32 in FOLDER; -t 0 finds nothing.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sigrep.h"

#define PATH_SIZE 4096

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* n steps of a random walk, each uniform in [-1, 1), into a new file. */
static int write_walk(const char *path, unsigned long n, uint64_t seed)
{
    FILE *file = fopen(path, "wb");
    if (!file) return -1;
    float at = 0;
    for (unsigned long i = 0; i < n; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u; /* Knuth's LCG */
        at += (float)(int32_t)(seed >> 32) / 2147483648.0f;
        fwrite(&at, sizeof at, 1, file);
    }
    const int bad = ferror(file);
    return fclose(file) || bad ? -1 : 0;
}

/* Seconds of one run, negative when it failed: 0 and 1 are grep's good statuses. */
static double run_s(const char *program, const char *kernel, char *template, char *stream)
{
    const double begin = now_s();
    const pid_t child = fork();
    if (child == 0) {
        execl(program, "sigrep", "-q", "-t", "0", "-f", "f32", "-p", "raw", "--kernel", kernel,
              template, stream, (char *)NULL);
        perror(program);
        _exit(127);
    }
    int status = 0;
    if (child < 0) return -1;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return -1;
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) > 1) return -1;
    return now_s() - begin;
}

static unsigned long number(int argc, char **argv, int i, unsigned long otherwise)
{
    const unsigned long x = i < argc ? strtoul(argv[i], NULL, 10) : otherwise;
    return x ? x : otherwise;
}

static int bench(const char *program, char *template, char *stream, double cells,
                 unsigned long runs)
{
    int bad = 0;
    int usable = 0;
    for (size_t i = 0; sigrep_kernel_name(i, &usable); i++) {
        const char *kernel = sigrep_kernel_name(i, &usable);
        if (!usable) {
            printf("%-12s not usable on this machine\n", kernel);
            continue;
        }
        double best = -1;
        for (unsigned long r = 0; r < runs; r++) {
            const double s = run_s(program, kernel, template, stream);
            if (s < 0) {
                best = -1;
                break;
            }
            if (best < 0 || s < best) best = s;
        }
        if (best < 0) {
            printf("%-12s FAILED\n", kernel);
            bad = 1;
        } else {
            printf("%-12s %8.3f s  %8.3f Gcell/s\n", kernel, best, cells / best * 1e-9);
        }
        fflush(stdout);
    }
    return bad;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: bench SIGREP FOLDER [M [N [R]]]\n");
        return 2;
    }
    const unsigned long m = number(argc, argv, 3, 1000);
    const unsigned long n = number(argc, argv, 4, 500000);
    const unsigned long runs = number(argc, argv, 5, 3);

    char template[PATH_SIZE];
    char stream[PATH_SIZE];
    snprintf(template, sizeof template, "%s/template.f32", argv[2]);
    snprintf(stream, sizeof stream, "%s/stream.f32", argv[2]);
    if (write_walk(template, m, 1) || write_walk(stream, n, 2)) {
        fprintf(stderr, "bench: %s: %s\n", argv[2], strerror(errno));
        return 2;
    }
    printf("template %lu samples, stream %lu samples, best of %lu runs\n", m, n, runs);
    fflush(stdout);
    const int bad = bench(argv[1], template, stream, (double)m * (double)n, runs);
    unlink(template);
    unlink(stream);
    return bad;
}
