#include "tools/sigrep/options/options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/live/mic.h"
#include "tools/common/options/template_spec.h"
#include "tools/common/templates/bundle_file.h"

void options_free(options *o)
{
    shared_options_free(&o->shared);
    free(o->globs);
    *o = (options){0};
}

/* Options that exclude each other. */
static arguments_status check_together(const options *o, char *error)
{
    if ((o->shared.has_threshold || o->shared.auto_threshold) && o->best)
        return arguments_bad(error, "--threshold and --best exclude each other");
    if (fmax(o->before_s, fmax(o->after_s, o->context_s)) >= 0 && !o->save_folder)
        return arguments_bad(error, "-A, -B and -C belong to --save DIR");
    if (o->path && !o->output->has_path)
        return arguments_bad(error, "--path belongs to --output json");
    if (o->monitor && o->progress)
        return arguments_bad(error, "--monitor and --progress exclude each other");
    if (o->best && o->hold_s > 0)
        return arguments_bad(error, "--hold takes matches as they come, so not with --best");
    if (o->best && o->shared.min_matches > 1)
        return arguments_bad(error, "--min-matches needs a threshold, so not --best");
    if (o->output_dir && (o->count || o->list_files || o->quiet))
        return arguments_bad(error, "--output-dir writes matches, so not with -c, -l, -L or -q");
    size_t template_reads = 0, input_reads = 0; /* of standard input, which can be read once */
    for (size_t i = 0; i < o->shared.n_templates; i++)
        template_reads += strcmp(o->shared.templates[i].path, "-") == 0;
    for (size_t i = 0; i < o->shared.n_inputs; i++) {
        input_reads += strcmp(o->shared.inputs[i], "-") == 0;
        if (o->best && o->shared.duration_s == 0 && mic_is_named(o->shared.inputs[i]))
            return arguments_bad(error, "--best waits for the end of '%s': give --duration SECONDS",
                                 o->shared.inputs[i]);
    }
    if (template_reads && input_reads)
        return arguments_bad(error, "standard input cannot be a template and an input");
    if (template_reads + input_reads > 1)
        return arguments_bad(error, "standard input can be named only once");
    return ARGUMENTS_OK;
}

/* Of --show. */
static arguments_status take_bundle(options *o, int n, char **operands, char *error)
{
    if (n != 1 || !bundle_is_named(operands[0]))
        return arguments_bad(error, "--show needs one bundle, NAME.sigrep");
    const char *reason = shared_options_set_inputs(&o->shared, n, operands);
    return reason ? arguments_bad(error, "%s", reason) : ARGUMENTS_OK;
}

arguments_status options_take_operands(void *user, int n, char **operands, char *error)
{
    options *o = user;
    shared_options *shared = &o->shared;
    if (o->list_devices) return ARGUMENTS_OK;
    if (o->show) return take_bundle(o, n, operands, error);
    if (shared->n_templates == 0) {
        if (n == 0) return ARGUMENTS_NONE;
        const char *reason = shared_options_set(shared, "template", operands[0]);
        if (reason) return arguments_bad(error, "template '%.300s': %s", operands[0], reason);
        operands++;
        n--;
    }
    const char *reason = shared_options_set_inputs(shared, n, operands);
    if (reason) return arguments_bad(error, "%s", reason);
    o->searches_here = o->recursive && n == 0;
    if (o->searches_here) shared->inputs[0] = ".";
    o->own_thresholds = !shared->has_threshold && !shared->auto_threshold && !o->best;
    const arguments_status status = check_together(o, error);
    shared->auto_threshold |= o->own_thresholds;
    return status;
}
