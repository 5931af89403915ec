/*
 * main.c - sigrep-plot: inputs and what is found in them, as a page or a picture.
 *
 *     recording.c: read, search ──> page/: HTML
 *                              └──> figure/: SVG, PNG
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/file_replace.h"
#include "tools/common/input/open_input.h"
#include "tools/common/messages/messages.h"
#include "tools/common/messages/signals.h"
#include "tools/common/options/arguments.h"
#include "tools/common/options/number.h"
#include "tools/common/options/template_spec.h"
#include "tools/common/start.h"
#include "tools/common/templates/template_set.h"
#include "tools/sigrep-plot/figure/figure.h"
#include "tools/sigrep-plot/page/page.h"
#include "tools/sigrep-plot/recording.h"

enum { KEY_SVG = 256, KEY_PNG, KEY_TITLE, KEY_SIZE, KEY_DURATION, KEY_MIN_MATCHES };
static const double MEGABYTE = 1e6, MOST_MEGABYTES = 1000;

static const char *set_size(void *user, const char *text)
{
    double megabytes;
    if (!number_real(text, &megabytes) || megabytes * MEGABYTE < page_least() ||
        megabytes > MOST_MEGABYTES)
        return "not a number of megabytes, from 0.5 to 1000";
    ((plot_options *)user)->most_bytes = megabytes * MEGABYTE;
    return NULL;
}

static const argument_row rows[] = {
    ARGUMENT_HEADING("What is written:"),
    ARGUMENT_TEXT('o', "output", "FILE", plot_options, page, "it is empty",
                  "the page (default: standard output, if no\npicture is asked for)"),
    ARGUMENT_TEXT(KEY_SVG, "svg", "FILE", plot_options, svg, "it is empty",
                  "a picture for print, as lines and text"),
    ARGUMENT_TEXT(KEY_PNG, "png", "FILE", plot_options, png, "it is empty",
                  "the same picture as pixels"),
    ARGUMENT_TEXT(KEY_TITLE, "title", "TEXT", plot_options, title, NULL,
                  "its title (default: the names of the inputs)"),
    ARGUMENT(KEY_SIZE, "size", "MB", set_size, "the most megabytes of the page (10)"),
    ARGUMENT_HEADING("What to search for:"),
    ARGUMENT_SHARED('e', "template", "T", "a template; may be repeated"),
    ARGUMENT_SHARED('t', "threshold", "X",
                    "show matches with score <= X; auto: an estimate\n"
                    "from each template (default: a bundle's, else\nauto)"),
    ARGUMENT_WHOLE('b', "best", "N", plot_options, best, 1, SIZE_MAX,
                   "no threshold: the N best matches of each label"),
    ARGUMENT_SHARED('g', "length", "MIN,MAX", "length of a match in template lengths (0.5,2)"),
    ARGUMENT_SHARED(KEY_MIN_MATCHES, "min-matches", "N", "takes of a label that must agree (1)"),
    ARGUMENT_SHARED('p', "front-end", "F",
                    "what is compared, as for sigrep (default: as a\n"
                    "bundle was made, else raw for numbers, mfcc for\naudio)"),
    ARGUMENT_HEADING("Input:"),
    ARGUMENTS_OF_INPUT,
    ARGUMENT_SHARED(KEY_DURATION, "duration", "SECONDS", "end each input after that much of it"),
    ARGUMENT_HEADING("Where and how it runs:"),
    ARGUMENT_SHARED('d', "device", "D", "auto (default), cpu, cuda, cuda:N or cuda:all"),
    ARGUMENT_SHARED('j', "threads", "N", "threads to use (1)"),
};

static bool is_same(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

static arguments_status check(const plot_options *p, char *error)
{
    const shared_options *o = &p->o;
    size_t reads = 0;
    for (size_t i = 0; i < o->n_templates; i++) reads += strcmp(o->templates[i].path, "-") == 0;
    for (size_t i = 0; i < o->n_inputs; i++) reads += strcmp(o->inputs[i], "-") == 0;
    if (reads > 1) return arguments_bad(error, "standard input can be named only once");
    if ((o->has_threshold || o->auto_threshold) && p->best)
        return arguments_bad(error, "--threshold and --best exclude each other");
    if (is_same(p->page, p->svg) || is_same(p->page, p->png) || is_same(p->svg, p->png))
        return arguments_bad(error, "--output, --svg and --png must name different files");
    if (p->best && o->min_matches > 1)
        return arguments_bad(error, "--min-matches needs a threshold, so not --best");
    return ARGUMENTS_OK;
}

static arguments_status take_operands(void *user, int n, char **operands, char *error)
{
    plot_options *p = user;
    if (p->o.n_templates == 0) {
        if (n == 0) return ARGUMENTS_NONE;
        const char *reason = shared_options_set(&p->o, "template", operands[0]);
        if (reason) return arguments_bad(error, "template '%.300s': %s", operands[0], reason);
        operands++;
        n--;
    }
    const char *reason = shared_options_set_inputs(&p->o, n, operands);
    if (reason) return arguments_bad(error, "%s", reason);
    const arguments_status status = check(p, error);
    p->own_thresholds = !p->o.has_threshold && !p->o.auto_threshold && !p->best;
    p->o.auto_threshold |= p->own_thresholds;
    return status;
}

static const argument_table table = {
    .program = "sigrep-plot",
    .usage = "sigrep-plot [OPTION]... -o PAGE.html TEMPLATE [INPUT]...\n"
             "       sigrep-plot [OPTION]... -o PAGE.html -e TEMPLATE... [INPUT]...",
    .about = "Search inputs as sigrep does, and draw them with their scores and matches: a\n"
             "page for a browser that needs no network, or a picture for print.\n\n"
             "TEMPLATE and INPUT are as for sigrep.\n",
    .rows = rows,
    .n_rows = sizeof rows / sizeof *rows,
    .end = "All details: man sigrep-plot\n",
    .take_operands = take_operands,
};

/* Would writing this file destroy what is read? If so, reports it. */
static bool is_read_too(const plot_options *p, const char *path)
{
    struct stat to;
    if (!path || stat(path, &to) != 0) return false;
    bool is_read = false;
    for (size_t i = 0; i < p->o.n_inputs + p->o.n_templates && !is_read; i++) {
        const bool is_input = i < p->o.n_inputs;
        const char *name = is_input ? p->o.inputs[i] : p->o.templates[i - p->o.n_inputs].path;
        is_read = input_is_same_file(name, &to);
    }
    if (is_read) report_of(path, "is a template or an input; write to another file");
    return is_read;
}

/* Does the page go to standard output? */
static bool is_printed(const plot_options *p)
{
    return p->page ? strcmp(p->page, "-") == 0 : !p->svg && !p->png;
}

static bool may_write_file(const plot_options *p, const char *path, const char *kind)
{
    return !path || (!is_read_too(p, path) && file_may_be_replaced(path, kind, false));
}

static bool may_write(const plot_options *p)
{
    if (is_printed(p) && isatty(STDOUT_FILENO)) {
        report("a page is not for a terminal: give -o PAGE.html");
        return false;
    }
    return (is_printed(p) || may_write_file(p, p->page, "page")) &&
           may_write_file(p, p->svg, "picture") && may_write_file(p, p->png, "picture");
}

/* A drawing of a part takes the place of no other file. */
static bool is_kept(const char *path, bool is_part)
{
    struct stat st;
    const bool is_kept = is_part && stat(path, &st) == 0 && st.st_size > 0;
    if (is_kept) report_of(path, "is not replaced, since not all inputs were read to the end");
    return is_kept;
}

static bool write_picture(const figure *f, const char *path, bool as_svg, bool is_part)
{
    return !path || is_kept(path, is_part) || figure_write(f, path, as_svg);
}

static bool write_page(const plot_options *p, page *made, bool is_part)
{
    text_buffer text = {0};
    if (!is_printed(p) && is_kept(p->page, is_part)) return true;
    bool good = page_end(made, &text);
    if (good && is_printed(p)) return print_text(&text);
    good = good && file_replace(p->page, "page", false, text.data, text.length);
    free(text.data);
    return good;
}

/* All inputs, one after the other. *failed: some input was not read to its end. Returns how many
 * are drawn. */
static size_t draw_inputs(const plot_options *p, const template_set *set, page *made,
                          figure *picture, int wake_fd, bool *failed)
{
    size_t drawn = 0, i = 0;
    for (; i < p->o.n_inputs && (i == 0 || !signals_caught()); i++) {
        recording *r = recording_make(p, set, p->o.inputs[i], wake_fd);
        *failed |= !r || r->failure[0];
        const bool good =
            (!made || page_add(made, r)) && (!r || !picture || figure_add(picture, r));
        drawn += good && r;
        *failed |= !good;
        recording_destroy(r);
    }
    if (i < p->o.n_inputs) {
        report_of(input_name(p->o.inputs[i]), "interrupted: not read, nor what follows it");
        *failed = true;
    }
    return drawn;
}

/* The names of the inputs. The caller frees it. */
static char *make_title(const plot_options *p)
{
    text_buffer text = {0};
    if (p->title) return strdup(p->title);
    for (size_t i = 0; i < p->o.n_inputs && i < 3; i++) {
        text_add_string(&text, i ? ", " : "");
        text_add_string(&text, template_base_name(input_name(p->o.inputs[i])));
    }
    if (p->o.n_inputs > 3) text_add_format(&text, " and %zu more", p->o.n_inputs - 3);
    text_add(&text, "", 1);
    return text.data;
}

static bool draw(const plot_options *p, const template_set *set, const char *title)
{
    page made;
    const bool has_picture = p->svg || p->png, has_page = p->page || !has_picture;
    figure *picture = has_picture ? figure_create(title) : NULL;
    const int wake_fd = signals_catch();
    bool failed = wake_fd < 0 || (has_picture && !picture);
    bool good = page_begin(&made, set, title, p->o.n_inputs, p->most_bytes) && !failed;
    good = good && draw_inputs(p, set, has_page ? &made : NULL, picture, wake_fd, &failed) > 0;
    if (good && has_page) good = write_page(p, &made, failed);
    good = good && write_picture(picture, p->svg, true, failed);
    good = good && write_picture(picture, p->png, false, failed);
    page_free(&made);
    figure_destroy(picture);
    return good && !failed;
}

/* Returns the exit status. */
static int plot(const plot_options *p)
{
    template_set set = {0};
    if (!may_write(p)) return EXIT_ERROR;
    char *title = make_title(p);
    bool good = title ? templates_load(&set, &p->o) : report_no_memory(NULL);
    if (good) {
        templates_warn_of_labels(&set, &p->o);
        good = draw(p, &set, title);
    }
    templates_free(&set);
    free(title);
    if (!good && signals_which()) return SIGNALS_STATUS + signals_which();
    return good ? 0 : EXIT_ERROR;
}

int main(int argc, char **argv)
{
    char error[ARGUMENTS_ERROR_SIZE];
    plot_options p = {.o = shared_options_defaults(), .most_bytes = 10e6};
    start_program();
    const arguments_status parsed = arguments_parse(&table, &p, argc, argv, error);
    const int status = parsed ? arguments_answer(&table, parsed, error) : plot(&p);
    shared_options_free(&p.o);
    return status;
}
