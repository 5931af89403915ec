#include "tools/sigrep-text/output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/messages/messages.h"
#include "tools/sigrep-text/cigar.h"

bool output_init(match_output *p, const text_options *o, const pattern_list *patterns)
{
    const bool with_file =
        o->names == TEXT_NAMES_ALWAYS || (o->names == TEXT_NAMES_BY_COUNT && o->n_inputs > 1);
    const writer_style style = {.times = TIME_SAMPLES,
                                .with_file = with_file,
                                .with_strand = o->fasta || o->alphabet == ALPHABET_DNA,
                                .with_overhang = o->overhang > 0};
    *p = (match_output){.o = o, .patterns = patterns, .same = patterns_same(o)};
    p->best.most = o->best;
    if (writer_init(&p->out, o->output, style, STDOUT_FILENO) &&
        writer_init(&p->line, o->output, style, STDOUT_FILENO))
        return true;
    return report_no_memory(NULL);
}

void output_free(match_output *p)
{
    writer_free(&p->out);
    writer_free(&p->line);
    free(p->cigar.data);
    best_free(&p->best);
    sequences_free(&p->sequences);
}

/* NULL: all is well. */
static void lose(match_output *p, const char *name, const char *wrong)
{
    if (!wrong) return;
    report_of(name, "%s", wrong);
    p->is_lost = true;
}

void output_flush(match_output *p)
{
    int failure = 0;
    if (p->is_lost) return;
    if (p->o->output->has_alignment) {
        lose(p, NULL, sequences_hold(&p->sequences, &p->out.out));
        p->out.out.length = 0;
    } else {
        failure = writer_flush(&p->out);
    }
    if (failure) lose(p, "standard output", strerror(failure));
}

void output_begin(match_output *p)
{
    if (!p->o->output->has_alignment) writer_begin(&p->out);
}

void output_end(match_output *p)
{
    if (p->o->output->has_alignment) {
        output_flush(p);
        writer_begin(&p->out);
        const int failure =
            p->is_lost ? 0 : sequences_end(&p->sequences, &p->out.out, STDOUT_FILENO);
        p->out.out.length = 0;
        if (failure) lose(p, "standard output", strerror(failure));
        return;
    }
    writer_end(&p->out);
    output_flush(p);
}

/* Set how the pattern stands on the text. */
static bool align(match_output *p, const match_text *text, const sigrep_text_match *m,
                  writer_match *line)
{
    const sigrep_text_pattern *pattern = &p->patterns->items[m->pattern];
    const unsigned char *letters = text->letters + (ptrdiff_t)(m->start - text->first);
    p->cigar.length = 0;
    if (!cigar_add(&p->cigar, pattern, letters, m, p->same, p->o->substitutions, &line->edits))
        return false;
    text_add(&p->cigar, "", 1);
    line->letters = pattern->letters;
    line->cigar = p->cigar.data;
    return !p->cigar.failed;
}

/* Compose a line. false: out of memory. */
static bool add_line(match_output *p, const writer_match *line, size_t given, size_t distance)
{
    if (p->o->best == UINT64_MAX) {
        if (p->out.out.length >= WRITER_ROOM) output_flush(p);
        if (p->is_lost || writer_add(&p->out, line)) return true;
        output_flush(p);
        return writer_add(&p->out, line);
    }
    p->line.out.length = 0;
    return writer_add(&p->line, line) &&
           best_offer(&p->best, given, distance, p->line.out.data, p->line.out.length);
}

void output_match(match_output *p, const match_text *text, const sigrep_text_match *m)
{
    const pattern_info *info = &p->patterns->infos[m->pattern];
    writer_match line = {.file = text->file,
                         .record = text->record,
                         .label = info->label,
                         .strand = info->strand,
                         .start = m->start,
                         .end = m->end,
                         .before = m->before,
                         .after = m->after,
                         .score = (double)m->distance,
                         .threshold = (double)p->patterns->items[m->pattern].edits,
                         .margin = NAN,
                         .scale = {.rate_hz = 1}};
    const bool is_aligned = !p->o->output->has_alignment || align(p, text, m, &line);
    if (!is_aligned || !add_line(p, &line, info->given, m->distance))
        p->is_lost = !report_no_memory(text->file);
}

void output_end_text(match_output *p, const match_text *text, uint64_t letters)
{
    if (!p->o->output->has_alignment || p->is_lost) return;
    const char *name = text->record ? text->record : text->file;
    lose(p, name, sequences_add(&p->sequences, name, letters));
}

void output_end_input(match_output *p)
{
    if (p->o->best == UINT64_MAX || p->is_lost) return;
    best_take(&p->best, &p->out.out);
    output_flush(p);
}
