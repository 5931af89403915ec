/*
 * selections.h - the parts of a recording that somebody marked, as templates:
 *
 *     RECORDING@TABLE          all that are marked
 *     RECORDING@TABLE:7        the selection 7 of a table; the label 7 of a track, from 1
 *     RECORDING@TABLE:NAME     all that have this label
 *
 * TABLE is a selection table of Raven, or a label track of Audacity
 * (https://manual.audacityteam.org/man/importing_and_exporting_labels.html):
 *
 *     Selection  View  Channel  Begin Time (s)  End Time (s)  Low Freq (Hz)  ...      tabs between
 *     START  END  LABEL                    a track; then perhaps \  LOW  HIGH of that label
 *
 * In a table, rows of other sounds (Begin File) are left out, and so are further views of a
 * selection. If a table covers several sounds, Begin Time (s) counts from the beginning of the
 * first one, and File Offset (s) from that of the row's own. Selections without a length are left
 * out with a warning.
 */
#ifndef TOOLS_COMMON_TEMPLATES_SELECTIONS_H
#define TOOLS_COMMON_TEMPLATES_SELECTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/common/options/template_spec.h"

typedef struct {
    char *name;             /* TABLE:ROW, for messages */
    const char *label;      /* NULL: none */
    time_range range;       /* seconds; its text is the name */
    double low_hz, high_hz; /* high_hz 0: not given */
} selection;

/* What strings point into, and the selections. */
typedef struct {
    char *recording; /* its path */
    char *name;      /* TABLE or TABLE:ROW, as it was given */
    char *bytes;     /* of the table */
    selection *items;
    size_t n;
} selection_list;

/* Is `path` no file, but RECORDING@TABLE, two files? */
bool selections_are_named(const char *path);

/* Read those of such a path, at least one. false after a failure, which is reported. The list is
 * freed in any case. */
bool selections_load(selection_list *list, const char *path);
void selections_free(selection_list *list);

#endif
