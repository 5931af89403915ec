#include "dev/bench/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sigrep.h"

static void print_escaped(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') putchar('\\');
        if ((unsigned char)*text >= ' ') putchar(*text);
    }
    putchar('"');
}

void report_begin(bench_report *out, bool json, const machine *here)
{
    *out = (bench_report){.json = json};
    if (!json) {
        printf("sigrep %s on %s, %ld cores, %.2f GHz measured\n%s, %s\n", SIGREP_VERSION, here->cpu,
               here->cores, here->clock_ghz, here->compiler, here->flags);
        return;
    }
    printf("{\"sigrep_bench\":\"%s\",\n\"machine\":{\"cpu\":", SIGREP_VERSION);
    print_escaped(here->cpu);
    printf(",\"cores\":%ld,\"clock_ghz\":%.3f,\"compiler\":", here->cores, here->clock_ghz);
    print_escaped(here->compiler);
    printf(",\"flags\":");
    print_escaped(here->flags);
    putchar('}');
}

static void part_end(bench_report *out)
{
    if (out->in_part && out->json) printf("]");
    out->in_part = out->has_rows = false;
}

void report_end(bench_report *out)
{
    part_end(out);
    if (out->json) puts("}");
    fflush(stdout);
}

void report_part(bench_report *out, const char *name, const char *heading)
{
    part_end(out);
    out->in_part = true;
    if (out->json)
        printf(",\n\"%s\":[", name);
    else
        printf("\n%s\n\n", heading);
    fflush(stdout);
}

static void append(char *line, size_t size, const char *text)
{
    size_t n = strlen(line);
    snprintf(line + n, size - n, "%s", text);
}

/* One field for both outputs. A width below 0 aligns it to the left. */
static void add(bench_report *out, const char *name, const char *head, int width, const char *json,
                const char *text)
{
    static const char dashes[] = "--------------------------------";
    const bool left = width < 0;
    char cell[200];
    if (abs(width) < (int)strlen(head)) width = (int)strlen(head) * (left ? -1 : 1);
    if (out->json) {
        snprintf(cell, sizeof cell, "%s\"%s\":%s", out->fields ? "," : "", name, json);
    } else {
        snprintf(cell, sizeof cell, " %*s |", width, head);
        append(out->heads, sizeof out->heads, cell);
        snprintf(cell, sizeof cell, " %.*s%c |", abs(width) - 1, dashes, left ? '-' : ':');
        append(out->rule, sizeof out->rule, cell);
        snprintf(cell, sizeof cell, " %*s |", width, text);
    }
    append(out->line, sizeof out->line, cell);
    out->fields++;
}

void report_text(bench_report *out, const char *name, const char *head, const char *value)
{
    char json[128];
    snprintf(json, sizeof json, "\"%s\"", value); /* our own names: nothing to escape */
    add(out, name, head, -8, json, value);
}

void report_whole(bench_report *out, const char *name, const char *head, size_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%zu", value);
    add(out, name, head, strcmp(head, "n") == 0 ? 8 : 4, text, text);
}

static void add_real(bench_report *out, const char *name, const char *head, double value,
                     const char *format, double scale)
{
    char text[32], json[32];
    if (!isfinite(value)) {
        add(out, name, head, 5, "null", "-");
        return;
    }
    snprintf(json, sizeof json, "%.6g", value);
    snprintf(text, sizeof text, format, value * scale);
    add(out, name, head, 5, json, text);
}

void report_real(bench_report *out, const char *name, const char *head, double value)
{
    add_real(out, name, head, value, fabs(value) < 0.995 ? "%.3f" : "%.2f", 1);
}

void report_percent(bench_report *out, const char *name, const char *head, double share)
{
    add_real(out, name, head, share, "%.0f %%", 100);
}

void report_row_end(bench_report *out)
{
    if (out->json)
        printf("%s\n{%s}", out->has_rows ? "," : "", out->line);
    else if (out->has_rows)
        printf("|%s\n", out->line);
    else
        printf("|%s\n|%s\n|%s\n", out->heads, out->rule, out->line);
    fflush(stdout);
    out->has_rows = true;
    out->heads[0] = out->rule[0] = out->line[0] = '\0';
    out->fields = 0;
}
