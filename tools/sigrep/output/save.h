/*
 * save.h - the matches of an input as files, with what came before and after them (--save).
 *
 *     save_add  --> recent.h: the last samples --+
 *     save_take --> matches that wait -----------+--> DIR/NAME --> save_done
 *
 * Samples are kept as long as a match may begin that early, and as a file waits for those after it.
 * So pipes and microphones need no second look. Text becomes CSV with the input's own lines, the
 * header first. JSON Lines keep their own lines. All else becomes WAV with all channels of the
 * input, in its own width. A file goes neither over a gap nor over an end of the input.
 *
 * Failures to write are reported, the first one by name; the search goes on.
 */
#ifndef TOOLS_SIGREP_OUTPUT_SAVE_H
#define TOOLS_SIGREP_OUTPUT_SAVE_H

#include "io/kept_lines.h"
#include "io/writers/wav_out.h"
#include "io/writers/writer.h"

typedef struct save save;

typedef struct {
    writer_match match; /* its strings outlive the save */
    size_t label;       /* for the caller: a number, ... */
    text_buffer notes;  /* ... and a text, which save_done takes over */
} save_match;

/* The match is in the file `path`; NULL: it could not be saved. */
typedef void save_done(void *user, save_match *m, const char *path);

typedef struct {
    const char *folder, *input; /* they outlive the save */
    double before_s, after_s;
    wav_format format; /* of the frames; its rate is not read */
    time_scale scale;  /* seconds are those of the time column, or samples / rate */
    time_style times;  /* of the start, in the files' names */
    uint64_t horizon;  /* how many samples before the last one a match may begin; UINT64_MAX: any */
    bool has_lines;
    const char *extension; /* of the files' names: ".csv" */
    save_done *done;
    void *user;
} save_settings;

/* For an input that begins. NULL: out of memory. */
save *save_create(const save_settings *settings);

/* Write what waits, and free all; NULL is allowed. false: some match was not saved. */
bool save_finish(save *s);

/* Add n samples, with times and lines if there are any, and write the files that they complete.
 * false: that cannot be, which is reported. Only save_finish may follow. */
bool save_add(save *s, const void *frames, const exact_time *times, kept_lines *lines, size_t n);

/* As save_add, but n samples are missing here. */
bool save_gap(save *s, uint64_t n);

/* Save a match, as soon as all of its file is there, and those of the matches before it. */
void save_take(save *s, const save_match *m);

/* Does a file wait for more samples? */
bool save_waits(const save *s);

/* The number of samples so far, gaps included. */
uint64_t save_samples(const save *s);

/*
 * The files, and their folder.
 *
 *     DIR/INPUT_LABEL_START.wav     DIR/INPUT_LABEL_START-2.wav     ...
 *
 * Inputs and labels may have any names. Of them a file's name keeps letters, digits, "._+=@,%-" and
 * whatever is beyond ASCII and printable (io/escape.h). All else becomes one '_'. No name has a
 * slash, or begins with a point or a dash, or is longer than a file system allows. An existing file
 * is never touched.
 */
enum { SAVE_FILE_NAME = 256 }; /* bytes, NUL included */

/* Make the folder, unless it is there. false after a failure, which is reported. */
bool save_file_make_folder(const char *folder);

/* INPUT_LABEL_START. Of the input's path the base name counts, without its extension. */
void save_file_name(char name[SAVE_FILE_NAME], const char *input, const char *label,
                    const char *start);

/* Create a new file FOLDER/NAME and `extension`, with the next free number if need be. *path, which
 * the caller frees, becomes its path and a NUL. Returns a descriptor, or -1 with errno; *path is
 * then what could not be created. */
int save_file_create(const char *folder, const char *name, const char *extension,
                     text_buffer *path);

#endif
