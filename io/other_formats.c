#include "io/other_formats.h"

#include <stdio.h>
#include <string.h>

#include "io/bytes.h"

#define BY_FFMPEG "convert it by ffmpeg -i FILE -f wav -"
#define BY_PIPE(command) "unpack it into a pipe by " command
#define NO_SAMPLES "it has no samples"

/* A dot of `bytes` stands for any byte. A format whose bytes are all printable has many: a line of
 * text may begin with a few. */
typedef struct {
    size_t length;
    const char *bytes;
    const char *name, *advice;
} other_format;

static const other_format formats[] = {
    {8, "\0...ftyp", "MP4 (or M4A, MOV)", BY_FFMPEG},
    {4, "\x1a\x45\xdf\xa3", "Matroska or WebM", BY_FFMPEG},
    {12, "RIFF....AVI ", "AVI", BY_FFMPEG},
    {8, "\x30\x26\xb2\x75\x8e\x66\xcf\x11", "WMA or WMV", BY_FFMPEG},
    {5, "#!AMR", "AMR", BY_FFMPEG},
    {10, "wvpk.....\4", "WavPack", BY_FFMPEG},
    {4, "PK\3\4", "a zip archive", BY_PIPE("unzip -p FILE")},
    {10, "BZh.1AY&SY", "bzip2", BY_PIPE("bzip2 -dc FILE")},
    {6, "\xfd\x37zXZ\0", "xz", BY_PIPE("xz -dc FILE")},
    {6, "7z\xbc\xaf\x27\x1c", "a 7z archive", BY_PIPE("7z x -so FILE")},
    {4, "\x04\x22\x4d\x18", "lz4", BY_PIPE("lz4 -dc FILE")},
    {8, "\x89HDF\r\n\x1a\n", "HDF5", "take a dataset out by h5dump -d /NAME -b LE -o OUT FILE"},
    {10, "MATLAB 7.3", "MATLAB 7.3 (HDF5)",
     "take a variable out by h5dump -d /NAME -b LE -o OUT FILE"},
    {5, "PAR1\x15", "Parquet", "convert it by duckdb -csv -c \"FROM read_parquet('FILE')\""},
    {8,
     "\xff"
     "BIOSEMI",
     "BDF", "convert it by edf2ascii FILE"},
    {8, "\x89PNG\r\n\x1a\n", "a PNG image", NO_SAMPLES},
    {5, "%PDF-", "PDF", NO_SAMPLES},
    {5,
     "\x7f"
     "ELF\2",
     "a program (ELF)", NO_SAMPLES},
    {5,
     "\x7f"
     "ELF\1",
     "a program (ELF)", NO_SAMPLES},
};
static const other_format npz = {0, "", "NPZ, a zip archive of NPY",
                                 BY_PIPE("unzip -p FILE NAME.npy")};
static const other_format edf = {0, "", "EDF", "convert it by edf2ascii FILE"};
/* By what comes first. */
static const other_format object = {0, "", "JSON",
                                    "make rows of numbers by jq -r '[.NAME, .NAME] | @csv' FILE"};
#define OR_LINES "; if each line is an array, -f jsonl reads them"
static const other_format array = {0, "", "JSON",
                                   "make rows of numbers by jq -r '.[] | @csv' FILE" OR_LINES};
static const other_format numbers = {0, "", "JSON",
                                     "make lines of numbers by jq '.[]' FILE" OR_LINES};

enum { COUNT = sizeof formats / sizeof *formats };

/* Do the first n bytes agree with the format, as far as they go? */
static bool may_be(const other_format *f, const unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n && i < f->length; i++)
        if (f->bytes[i] != '.' && bytes[i] != (unsigned char)f->bytes[i]) return false;
    return true;
}

static bool is_digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

/*
 * EDF begins with text, which has no end of line: a version "0", names, date and time.
 *
 *     0       |name of the patient ... |recording ... |dd.mm.yy|hh.mm.ss|
 *     0       8                        88             168      176      184
 */
static bool is_edf(const unsigned char *bytes, size_t n)
{
    static const char when[] = "00.00.0000.00.00";
    if (n < OTHER_FORMAT_START || memcmp(bytes, "0       ", 8) != 0) return false;
    for (size_t i = 0; i < OTHER_FORMAT_START; i++)
        if (bytes[i] < 0x20 || bytes[i] > 0x7e) return false;
    for (size_t i = 0; i < sizeof when - 1; i++)
        if (when[i] == '.' ? bytes[168 + i] != '.' : !is_digit(bytes[168 + i])) return false;
    return true;
}

bool other_format_begins(const unsigned char *bytes, size_t n, bool *undecided)
{
    if (is_edf(bytes, n)) return true;
    for (size_t i = 0; i < COUNT; i++) {
        if (!may_be(&formats[i], bytes, n)) continue;
        if (n >= formats[i].length) return true;
        *undecided = true;
    }
    return false;
}

static size_t skip_blanks(const unsigned char *bytes, size_t n, size_t i)
{
    while (i < n && (bytes[i] == ' ' || bytes[i] == '\t' || bytes[i] == '\r')) i++;
    return i;
}

/* Can a JSON array of values begin like bytes[i, n), after its [? Names in brackets cannot: [mV].
 * Nor can numbers in brackets of their own: [1] [2]. */
static bool may_be_in_array(const unsigned char *bytes, size_t n, size_t i)
{
    static const char *const words[] = {"true", "false", "null"};
    const unsigned char c = bytes[i];
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (n - i >= strlen(words[k]) && memcmp(bytes + i, words[k], strlen(words[k])) == 0)
            return true;
    if (!is_digit(c) && c != '-') return c == '"' || c == '[' || c == '{' || c == ']';
    const unsigned char *end = memchr(bytes + i, ']', n - i);
    return !end || skip_blanks(bytes, n, (size_t)(end - bytes) + 1) == n;
}

bool other_format_is_json(const unsigned char *bytes, size_t n)
{
    const unsigned char *newline = memchr(bytes, '\n', n);
    if (newline) n = (size_t)(newline - bytes);
    const size_t mark = n >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    size_t i = skip_blanks(bytes, n, mark);
    if (i == n || (bytes[i] != '{' && bytes[i] != '[')) return false;
    const bool is_object = bytes[i] == '{';
    i = skip_blanks(bytes, n, i + 1);
    if (i == n) return true;
    return is_object ? bytes[i] == '"' || bytes[i] == '}' : may_be_in_array(bytes, n, i);
}

/* Is the first file of this zip archive an array? Its name is at 30, the size of the name at 26. */
static bool is_npz(const unsigned char *bytes, size_t n)
{
    if (n < 30 || memcmp(bytes, "PK\3\4", 4) != 0) return false;
    const size_t name = (size_t)bytes_load(bytes + 26, 2, false);
    return name >= 4 && n >= 30 + name && memcmp(bytes + 30 + name - 4, ".npy", 4) == 0;
}

static const other_format *find_json(const unsigned char *bytes, size_t n)
{
    const unsigned char *bracket = memchr(bytes, '[', n), *brace = memchr(bytes, '{', n);
    if (!bracket || (brace && brace < bracket)) return &object;
    const size_t i = skip_blanks(bytes, n, (size_t)(bracket - bytes) + 1);
    return i < n && (is_digit(bytes[i]) || bytes[i] == '-') ? &numbers : &array;
}

static const other_format *find(const unsigned char *bytes, size_t n)
{
    if (is_npz(bytes, n)) return &npz;
    if (is_edf(bytes, n)) return &edf;
    for (size_t i = 0; i < COUNT; i++)
        if (n >= formats[i].length && may_be(&formats[i], bytes, n)) return &formats[i];
    return find_json(bytes, n);
}

void other_format_advise(const unsigned char *bytes, size_t n, char *reason, size_t size)
{
    const other_format *f = find(bytes, n);
    snprintf(reason, size, "is %s: %s", f->name, f->advice);
}
