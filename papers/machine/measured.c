#include "papers/machine/measured.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tools/common/messages/messages.h"
#include "tools/common/options/number.h"

enum { LINE = 512, MOST = 1 << 30 };

static const char blanks[] = " \t\r\n";

static bool take_whole(const char *word, size_t *value)
{
    uint64_t number;
    if (!word || !number_whole(word, 1, MOST, &number)) return false;
    *value = (size_t)number;
    return true;
}

static const char *take_blocks(measured *to, char **rest)
{
    const char *word;
    if (to->n_blocks) return "a second line of numbers of blocks";
    while ((word = strtok_r(NULL, blanks, rest))) {
        if (to->n_blocks == MEASURED_MOST) return "more than 16 numbers of blocks";
        if (!take_whole(word, &to->blocks[to->n_blocks++])) return "not a number of blocks";
    }
    return to->n_blocks ? NULL : "no numbers of blocks";
}

static const char *take_row(measured *to, const char *word, char **rest)
{
    const size_t row = to->n_rows;
    if (row == MEASURED_MOST) return "more than 16 lengths m";
    if (!take_whole(word, &to->m[row])) return "neither a name of a value nor a length m";
    if (!to->n_blocks) return "times before the line of numbers of blocks";
    for (size_t i = 0; i < to->n_blocks; i++) {
        word = strtok_r(NULL, blanks, rest);
        if (!word) return "fewer times than numbers of blocks";
        if (!number_real(word, &to->ms[row][i]) || !(to->ms[row][i] > 0))
            return "not a time above 0, in milliseconds";
    }
    if (strtok_r(NULL, blanks, rest)) return "more times than numbers of blocks";
    to->n_rows++;
    return NULL;
}

/* NULL, or what is wrong. */
static const char *take_line(measured *to, char *line)
{
    const struct {
        const char *name;
        size_t *value;
    } values[] = {{"width", &to->width},
                  {"dmms", &to->dmms},
                  {"resident", &to->resident},
                  {"threads", &to->threads},
                  {"n", &to->n}};
    char *rest = NULL;
    const char *word = strtok_r(line, blanks, &rest);
    if (!word || *word == '#') return NULL;
    if (strcmp(word, "m") == 0) return take_blocks(to, &rest);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (strcmp(word, values[i].name) == 0)
            return take_whole(strtok_r(NULL, blanks, &rest), values[i].value) &&
                           !strtok_r(NULL, blanks, &rest)
                       ? NULL
                       : "not one whole number above 0";
    return take_row(to, word, &rest);
}

static const char *find_missing(const measured *to)
{
    if (!to->width) return "no line `width'";
    if (!to->dmms) return "no line `dmms'";
    if (!to->resident) return "no line `resident'";
    if (!to->threads) return "no line `threads'";
    if (!to->n) return "no line `n'";
    return to->n_rows < 2 ? "fewer than two lengths m" : NULL;
}

static bool read_lines(measured *to, const char *name, FILE *file)
{
    char line[LINE];
    size_t number = 0;
    while (fgets(line, sizeof line, file)) {
        number++;
        const char *reason = strchr(line, '\n') || feof(file) ? take_line(to, line) : "too long";
        if (!reason) continue;
        report_of(name, "line %zu: %s", number, reason);
        return false;
    }
    if (ferror(file)) {
        report_of(name, "%s", strerror(errno));
        return false;
    }
    const char *reason = find_missing(to);
    if (reason) report_of(name, "%s", reason);
    return !reason;
}

bool measured_read(measured *to, const char *name)
{
    *to = (measured){0};
    FILE *file = fopen(name, "r");
    if (!file) {
        report_of(name, "%s", strerror(errno));
        return false;
    }
    const bool good = read_lines(to, name, file);
    fclose(file);
    return good;
}
