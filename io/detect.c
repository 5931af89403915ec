#include "io/detect.h"

#include <stdio.h>
#include <string.h>

#include "io/audio/mpeg_header.h"
#include "io/bytes.h"
#include "io/escape.h"
#include "io/frame_chain.h"

_Static_assert((int)DETECT_MOST == (int)FRAME_CHAIN_REACH, "detect knows what a chain needs");

#define BY_FFMPEG "convert it by ffmpeg -i FILE -f wav -"
#define BY_PANDAS                                                                                  \
    "convert it by python3 -c \"import pandas; pandas.read_excel('FILE').to_csv('OUT', "           \
    "index=False)\""
#define OLD_OFFICE "a file of Excel 97 or other programs"
#define BY_PIPE(command) "unpack it into a pipe by " command
#define NO_SAMPLES "it has no samples"

/* A * of `bytes` stands for any byte. A format whose bytes are all printable has many: a line of
 * text may begin with a few. */
typedef struct {
    detect_kind kind;
    size_t length;
    const char *bytes;
    const char *name;   /* for messages; NULL: "this format" */
    const char *advice; /* of DETECT_FOREIGN */
} known_format;

static const known_format formats[] = {
    {DETECT_WAV, 12, "RIFF****WAVE", "WAV", NULL},
    {DETECT_WAV, 12, "RIFX****WAVE", "WAV", NULL},
    {DETECT_RF64, 12, "RF64****WAVE", "RF64", NULL},
    {DETECT_RF64, 12, "BW64****WAVE", "BW64", NULL},
    {DETECT_W64, 12, "riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb", "W64", NULL},
    {DETECT_AIFF, 12, "FORM****AIFF", "AIFF", NULL},
    {DETECT_AIFF, 12, "FORM****AIFC", "AIFF", NULL},
    {DETECT_OTHER, 12, "FORM****8SVX", NULL, NULL},
    {DETECT_OTHER, 12, "FORM****16SV", NULL, NULL},
    {DETECT_AU, 4, ".snd", "AU", NULL},
    {DETECT_AU, 4, "dns.", "AU", NULL},
    {DETECT_FLAC, 4, "fLaC", "FLAC", NULL},
    {DETECT_OGG, 5, "OggS\0", "Ogg", NULL},
    {DETECT_CAF, 6, "caff\0\1", "CAF", NULL},
    {DETECT_NPY, 6, "\x93NUMPY", "NPY", NULL},
    {DETECT_BUNDLE, 8, "\x89SGR\r\n\x1a\n", "bundle", NULL},
    {DETECT_MP3, 4, "ID3\2", "MP3", NULL},
    {DETECT_MP3, 4, "ID3\3", "MP3", NULL},
    {DETECT_MP3, 4, "ID3\4", "MP3", NULL},
    {DETECT_OTHER, 7, "NIST_1A", NULL, NULL},
    {DETECT_OTHER, 12, "Creative Voi", NULL, NULL},
    {DETECT_OTHER, 12, "MATLAB 5.0 M", NULL, NULL},
    {DETECT_OTHER, 12, "Extended Ins", NULL, NULL},
    {DETECT_OTHER, 12, "ALawSoundFil", NULL, NULL},
    {DETECT_OTHER, 5, "PVF1\n", NULL, NULL},
    {DETECT_OTHER, 4, "2BIT", NULL, NULL},
    {DETECT_OTHER, 4, " paf", NULL, NULL},
    {DETECT_OTHER, 4, "fap ", NULL, NULL},
    {DETECT_FOREIGN, 8, "\0***ftyp", "MP4 (or M4A, MOV)", BY_FFMPEG},
    {DETECT_FOREIGN, 8, "\0***moov", "MOV", BY_FFMPEG},
    {DETECT_FOREIGN, 4, "\x1a\x45\xdf\xa3", "Matroska or WebM", BY_FFMPEG},
    {DETECT_FOREIGN, 12, "RIFF****AVI ", "AVI", BY_FFMPEG},
    {DETECT_FOREIGN, 8, "\x30\x26\xb2\x75\x8e\x66\xcf\x11", "WMA or WMV", BY_FFMPEG},
    {DETECT_FOREIGN, 5, "#!AMR", "AMR", BY_FFMPEG},
    {DETECT_FOREIGN, 10, "wvpk*****\4", "WavPack", BY_FFMPEG},
    {DETECT_FOREIGN, 6, "TTA1\1\0", "TTA", BY_FFMPEG},
    {DETECT_FOREIGN, 6, "MAC *\x0f", "Monkey's Audio", BY_FFMPEG},
    {DETECT_FOREIGN, 6, "MPCKSH", "Musepack", BY_FFMPEG},
    {DETECT_FOREIGN, 8, "DSD \x1c\0\0\0", "DSF", BY_FFMPEG},
    {DETECT_FOREIGN, 5, ".RMF\0", "RealMedia", BY_FFMPEG},
    {DETECT_FOREIGN, 4, "FLV\1", "FLV", BY_FFMPEG},
    {DETECT_FOREIGN, 4, "\0\0\1\xba", "an MPEG program stream", BY_FFMPEG},
    {DETECT_FOREIGN, 4, "PK\3\4", "a zip archive", BY_PIPE("unzip -p FILE")},
    {DETECT_FOREIGN, 10, "BZh*1AY&SY", "bzip2", BY_PIPE("bzip2 -dc FILE")},
    {DETECT_FOREIGN, 6, "\xfd\x37zXZ\0", "xz", BY_PIPE("xz -dc FILE")},
    {DETECT_FOREIGN, 6, "7z\xbc\xaf\x27\x1c", "a 7z archive", BY_PIPE("7z x -so FILE")},
    {DETECT_FOREIGN, 4, "\x04\x22\x4d\x18", "lz4", BY_PIPE("lz4 -dc FILE")},
    {DETECT_FOREIGN, 8, "\x89HDF\r\n\x1a\n", "HDF5",
     "take a dataset out by h5dump -d /NAME -b LE -o OUT FILE"},
    {DETECT_FOREIGN, 10, "MATLAB 7.3", "MATLAB 7.3 (HDF5)",
     "take a variable out by h5dump -d /NAME -b LE -o OUT FILE"},
    {DETECT_FOREIGN, 5, "PAR1\x15", "Parquet",
     "convert it by duckdb -csv -c \"FROM read_parquet('FILE')\""},
    {DETECT_FOREIGN, 8, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", OLD_OFFICE, BY_PANDAS},
    {DETECT_FOREIGN, 8, "\377BIOSEMI", "BDF", "convert it by edf2ascii FILE"},
    {DETECT_FOREIGN, 8, "\x89PNG\r\n\x1a\n", "a PNG image", NO_SAMPLES},
    {DETECT_FOREIGN, 5, "%PDF-", "PDF", NO_SAMPLES},
    {DETECT_FOREIGN, 5, "\177ELF\2", "a program (ELF)", NO_SAMPLES},
    {DETECT_FOREIGN, 5, "\177ELF\1", "a program (ELF)", NO_SAMPLES},
};
static const known_format npz = {DETECT_FOREIGN, 0, "", "NPZ, a zip archive of NPY",
                                 BY_PIPE("unzip -p FILE NAME.npy")};
static const known_format excel = {DETECT_FOREIGN, 0, "", "Excel", BY_PANDAS};
static const known_format edf = {DETECT_FOREIGN, 0, "", "EDF", "convert it by edf2ascii FILE"};
static const known_format chains[] = {
    [FRAME_CHAIN_AAC] = {DETECT_FOREIGN, 0, "", "AAC", BY_FFMPEG},
    [FRAME_CHAIN_AC3] = {DETECT_FOREIGN, 0, "", "AC-3", BY_FFMPEG},
    [FRAME_CHAIN_TS] = {DETECT_FOREIGN, 0, "", "MPEG-TS", BY_FFMPEG}};
/* By what comes first. */
static const known_format object = {DETECT_FOREIGN, 0, "", "JSON",
                                    "make rows of numbers by jq -r '[.NAME, .NAME] | @csv' FILE"};
#define OR_LINES "; if each line is an array, -f jsonl reads them"
static const known_format array = {DETECT_FOREIGN, 0, "", "JSON",
                                   "make rows of numbers by jq -r '.[] | @csv' FILE" OR_LINES};
static const known_format numbers = {DETECT_FOREIGN, 0, "", "JSON",
                                     "make lines of numbers by jq '.[]' FILE" OR_LINES};

enum { COUNT = sizeof formats / sizeof *formats };

/* Do the first n bytes agree with the format, as far as they go? */
static bool may_be(const known_format *f, const unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n && i < f->length; i++)
        if (f->bytes[i] != '*' && bytes[i] != (unsigned char)f->bytes[i]) return false;
    return true;
}

/* Can these bytes begin the header of an MPEG layer III frame?
 *
 *     11111111 111VV01p bbbbrr-- mmxx--ee
 *
 * Reserved values are refused: of version V, bit rate b, sampling rate r, emphasis e. So is x != 0
 * outside joint stereo (m = 01), since encoders leave it 0. That rule excludes every float
 * between -2 and 2: its top byte has x = 3 or is small. */
static bool mp3_may_start(const unsigned char *b, size_t n)
{
    if (n > 0 && b[0] != 0xff) return false;
    if (n > 1 && ((b[1] & 0xe6) != 0xe2 || (b[1] & 0x18) == 0x08)) return false;
    if (n > 2 && ((b[2] & 0xf0) == 0xf0 || (b[2] & 0xf0) == 0 || (b[2] & 0x0c) == 0x0c))
        return false;
    if (n > 3 && ((b[3] & 3) == 2 || ((b[3] & 0xc0) != 0x40 && (b[3] & 0x30) != 0))) return false;
    return true;
}

bool detect_is_surely_mp3(const unsigned char *bytes, size_t n)
{
    mpeg_header first, next;
    if (n < MPEG_HEADER || !mpeg_header_parse(bytes, &first))
        return n >= 3 && memcmp(bytes, "ID3", 3) == 0;
    return first.bytes + MPEG_HEADER <= n && mpeg_header_parse(bytes + first.bytes, &next);
}

static bool is_digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

enum { EDF_START = 184 }; /* bytes that are judged */

/*
 * EDF begins with text, which has no end of line: a version "0", names, date and time.
 *
 *     0       |name of the patient ... |recording ... |dd.mm.yy|hh.mm.ss|
 *     0       8                        88             168      176      184
 */
static bool is_edf(const unsigned char *bytes, size_t n)
{
    static const char when[] = "00.00.0000.00.00";
    if (n < EDF_START || memcmp(bytes, "0       ", 8) != 0) return false;
    for (size_t i = 0; i < EDF_START; i++)
        if (bytes[i] < 0x20 || bytes[i] > 0x7e) return false;
    for (size_t i = 0; i < sizeof when - 1; i++)
        if (when[i] == '.' ? bytes[168 + i] != '.' : !is_digit(bytes[168 + i])) return false;
    return true;
}

static bool is_plain(unsigned char c)
{
    return (c >= 0x20 && c < 0x7f) || c == '\t' || c == '\r';
}

/* UTF-16 as Windows saves it: a byte order mark, then ASCII. Three characters are looked at, or
 * two if the input ends there. Raw samples begin like this only by a rare chance. */
enum { UTF16_START = 8, UTF16_LEAST = 6 }; /* bytes */

static bool utf16_may_start(const unsigned char *b, size_t n)
{
    const bool big_endian = n > 0 && b[0] == 0xfe;
    for (size_t i = 0; i < n && i < UTF16_START; i++) {
        const bool is_high = (i % 2 == 0) == big_endian;
        bool fits = is_high ? b[i] == 0 : is_plain(b[i]) || b[i] == '\n';
        if (i < 2) fits = b[i] == (is_high ? 0xfe : 0xff);
        if (!fits) return false;
    }
    return true;
}

/* Size of the printable character at b, of n >= 1 bytes. 0: not printable; n + 1: incomplete.
 * Counts in *latin a character that is Latin-1 but not UTF-8. */
static size_t printable_length(const unsigned char *b, size_t n, size_t *latin)
{
    if (is_plain(*b)) return 1;
    const size_t length = utf8_length(b, n);
    if (length > 0 || *b < 0xa0) return length;
    ++*latin;
    return 1;
}

/* One byte in LATIN_SHARE of a line may be Latin-1; LATIN_AHEAD more are tolerated until its end is
 * seen. Such a line must have an end: most bytes of raw samples could be Latin-1, and a constant
 * sample looks like a line that never ends. */
enum { LATIN_SHARE = 4, LATIN_AHEAD = 4 };

static detect_kind text_or_raw(const unsigned char *bytes, size_t n, bool end)
{
    const bool full = n >= DETECT_LINE;
    size_t i = 0, latin = 0;
    if (full) n = DETECT_LINE;
    while (i < n && bytes[i] != '\n') {
        size_t step = printable_length(bytes + i, n - i, &latin);
        if (step == 0 || latin > i / LATIN_SHARE + LATIN_AHEAD) return DETECT_F32;
        if (step > n - i && end && !full) return DETECT_F32; /* cut in a letter */
        i += step;
    }
    if (i >= n && !full && !end) return DETECT_WAITING;
    return latin == 0 || (i < n && LATIN_SHARE * latin <= i) ? DETECT_TEXT : DETECT_F32;
}

bool detect_is_printable(const unsigned char *bytes, size_t n)
{
    size_t latin = 0;
    for (size_t i = 0, step; i < n; i += step) {
        step = bytes[i] == '\n' ? 1 : printable_length(bytes + i, n - i, &latin);
        if (step == 0) return false;
    }
    return true;
}

static detect_kind chain_or_raw(const unsigned char *bytes, size_t n, bool end)
{
    if (n < DETECT_MOST && !end) return DETECT_PERHAPS_F32;
    const frame_chain_kind chain = frame_chain_find(bytes, n);
    if (chain == FRAME_CHAIN_NONE) return DETECT_F32;
    return chain == FRAME_CHAIN_MPEG ? DETECT_MP3 : DETECT_FOREIGN;
}

detect_kind detect_frames_after_text(const unsigned char *bytes, size_t n)
{
    if (n > DETECT_MOST) n = DETECT_MOST;
    const detect_kind kind =
        detect_is_printable(bytes, n) ? DETECT_TEXT : chain_or_raw(bytes, n, true);
    return kind == DETECT_F32 ? DETECT_TEXT : kind;
}

detect_kind detect(const unsigned char *bytes, size_t n, bool end)
{
    bool undecided = n < 4 && mp3_may_start(bytes, n);
    if (n >= 4 && mp3_may_start(bytes, n)) return DETECT_MP3;
    if (is_edf(bytes, n)) return DETECT_FOREIGN;
    for (size_t i = 0; i < COUNT; i++) {
        if (!may_be(&formats[i], bytes, n)) continue;
        if (n >= formats[i].length) return formats[i].kind;
        undecided = true;
    }
    if (utf16_may_start(bytes, n)) {
        if (n >= UTF16_START || (end && n >= UTF16_LEAST)) return DETECT_UTF16;
        undecided = true;
    }
    if (undecided && !end) return DETECT_WAITING;
    const detect_kind kind = text_or_raw(bytes, n, end);
    return kind == DETECT_F32 ? chain_or_raw(bytes, n, end) : kind;
}

const char *detect_name(detect_kind kind)
{
    if (kind == DETECT_TEXT) return "text";
    if (kind == DETECT_JSONL) return "JSON Lines";
    if (kind == DETECT_F32) return "f32";
    if (kind == DETECT_UTF16) return "UTF-16";
    for (size_t i = 0; i < COUNT && kind != DETECT_FOREIGN; i++)
        if (formats[i].kind == kind && formats[i].name) return formats[i].name;
    return "this format";
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

bool detect_is_json(const unsigned char *bytes, size_t n)
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

/* Has this zip archive a file in the folder xl, named before it, among the first ones? */
static bool is_excel(const unsigned char *bytes, size_t n)
{
    if (n < 4 || memcmp(bytes, "PK\3\4", 4) != 0) return false;
    for (size_t i = 4; i + 3 < n && i < DETECT_ADVICE; i++)
        if (memcmp(bytes + i, "xl/", 3) == 0 && bytes[i + 3] >= '_' && bytes[i + 3] <= 'z')
            return true;
    return false;
}

static const known_format *find_json(const unsigned char *bytes, size_t n)
{
    const unsigned char *bracket = memchr(bytes, '[', n), *brace = memchr(bytes, '{', n);
    if (!bracket || (brace && brace < bracket)) return &object;
    const size_t i = skip_blanks(bytes, n, (size_t)(bracket - bytes) + 1);
    return i < n && (is_digit(bytes[i]) || bytes[i] == '-') ? &numbers : &array;
}

static const known_format *find(const unsigned char *bytes, size_t n)
{
    if (is_npz(bytes, n)) return &npz;
    if (is_excel(bytes, n)) return &excel;
    if (is_edf(bytes, n)) return &edf;
    for (size_t i = 0; i < COUNT; i++)
        if (formats[i].advice && n >= formats[i].length && may_be(&formats[i], bytes, n))
            return &formats[i];
    const frame_chain_kind chain = frame_chain_find(bytes, n);
    return chain > FRAME_CHAIN_MPEG ? &chains[chain] : find_json(bytes, n);
}

bool detect_is_foreign_signal(const unsigned char *bytes, size_t n)
{
    static const char *const others[] = {"a zip archive", "a 7z archive", "JSON", OLD_OFFICE};
    const known_format *f = find(bytes, n);
    bool is_other = strcmp(f->advice, NO_SAMPLES) == 0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        is_other |= strcmp(f->name, others[i]) == 0;
    return !is_other;
}

void detect_advise(const unsigned char *bytes, size_t n, char *reason, size_t size)
{
    const known_format *f = find(bytes, n);
    snprintf(reason, size, "is %s: %s", f->name, f->advice);
}
