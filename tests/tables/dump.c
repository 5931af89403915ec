/*
 * dump.c - the values of a table as io/tables reads them, for tests/tables/run.
 *
 *     dump FORMAT FILE COLUMN...     COLUMN: a number from 1, or = and a name
 *
 * Writes doubles of this machine, all columns of a row side by side. Warnings go to standard error.
 * Exit status: 2 after an error.
 */
#include <stdio.h>
#include <stdlib.h>

#include "io/source.h"

enum { MOST_COLUMNS = 16, ROWS = 1024, ERROR_SIZE = 512, EXIT_ERROR = 2 };

static int fail(const char *words)
{
    fprintf(stderr, "%s\n", words);
    return EXIT_ERROR;
}

static void print_warnings(source *src)
{
    for (const char *warning; (warning = source_warning(src));)
        fprintf(stderr, "warning: %s\n", warning);
}

static int dump(source *src)
{
    static double values[ROWS * MOST_COLUMNS];
    const size_t channels = source_get_info(src).channels;
    for (ssize_t n; (n = source_read_doubles(src, values, NULL, ROWS)) != 0;) {
        print_warnings(src);
        if (n < 0) return fail(source_error(src));
        const size_t count = (size_t)n * channels;
        if (fwrite(values, sizeof *values, count, stdout) != count) return fail("cannot write");
    }
    print_warnings(src);
    return 0;
}

int main(int argc, char **argv)
{
    size_t columns[MOST_COLUMNS] = {0};
    const char *names[MOST_COLUMNS] = {0};
    source_options o = {.wake_fd = -1, .columns = columns, .column_names = names};
    char error[ERROR_SIZE];
    if (argc < 4 || argc - 3 > MOST_COLUMNS || !source_parse_format(argv[1], &o))
        return fail("usage: dump FORMAT FILE COLUMN...");
    for (int i = 3; i < argc; i++) {
        if (*argv[i] == '=')
            names[o.n_columns++] = argv[i] + 1;
        else
            columns[o.n_columns++] = strtoull(argv[i], NULL, 10);
    }
    source *src = source_open(argv[2], &o, error, sizeof error);
    if (!src) return fail(error);
    const int status = dump(src);
    source_close(src);
    return status;
}
