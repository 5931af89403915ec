#include "io/detect.h"

#include <string.h>

#include "io/other_formats.h"
#include "io/utf8.h"

typedef struct {
    detect_kind kind;
    bool sized; /* bytes 4 to 7 are a size: not compared */
    size_t length;
    const char *bytes;
} magic;

static const magic magics[] = {
    {DETECT_WAV, true, 12, "RIFF....WAVE"},
    {DETECT_WAV, true, 12, "RIFX....WAVE"},
    {DETECT_RF64, true, 12, "RF64....WAVE"},
    {DETECT_W64, false, 12, "riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb"},
    {DETECT_AIFF, true, 12, "FORM....AIFF"},
    {DETECT_AIFF, true, 12, "FORM....AIFC"},
    {DETECT_OTHER, true, 12, "FORM....8SVX"},
    {DETECT_OTHER, true, 12, "FORM....16SV"},
    {DETECT_AU, false, 4, ".snd"},
    {DETECT_AU, false, 4, "dns."},
    {DETECT_FLAC, false, 4, "fLaC"},
    {DETECT_OGG, false, 5, "OggS\0"},
    {DETECT_CAF, false, 6, "caff\0\1"},
    {DETECT_NPY, false, 6, "\x93NUMPY"},
    {DETECT_BUNDLE, false, 8, "\x89SGR\r\n\x1a\n"},
    {DETECT_MP3, false, 4, "ID3\2"},
    {DETECT_MP3, false, 4, "ID3\3"},
    {DETECT_MP3, false, 4, "ID3\4"},
    {DETECT_OTHER, false, 7, "NIST_1A"},
    {DETECT_OTHER, false, 12, "Creative Voi"},
    {DETECT_OTHER, false, 12, "MATLAB 5.0 M"},
    {DETECT_OTHER, false, 12, "Extended Ins"},
    {DETECT_OTHER, false, 12, "ALawSoundFil"},
    {DETECT_OTHER, false, 5, "PVF1\n"},
    {DETECT_OTHER, false, 4, "2BIT"},
    {DETECT_OTHER, false, 4, " paf"},
    {DETECT_OTHER, false, 4, "fap "},
};

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

/* Size of the frame with this header, in bytes (ISO 11172-3 and 13818-3, 2.4.2.3). A frame has
 * 1152 samples in MPEG 1, half as many in MPEG 2 and 2.5. */
static size_t mp3_frame_bytes(const unsigned char *b)
{
    static const size_t kbits_1[] = {0,   32,  40,  48,  56,  64,  80, 96,
                                     112, 128, 160, 192, 224, 256, 320};
    static const size_t kbits_2[] = {0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160};
    static const size_t rates_hz[] = {44100, 48000, 32000};
    static const size_t divisors[] = {4, 1, 2, 1}; /* by version: 2.5, reserved, 2, 1 */
    const unsigned version = b[1] >> 3 & 3;
    const bool is_1 = version == 3;
    const size_t kbits = (is_1 ? kbits_1 : kbits_2)[b[2] >> 4];
    const size_t rate_hz = rates_hz[b[2] >> 2 & 3] / divisors[version];
    return (is_1 ? 144000 : 72000) * kbits / rate_hz + (b[2] >> 1 & 1);
}

bool detect_is_surely_mp3(const unsigned char *bytes, size_t n)
{
    enum { HEADER = 4 };
    if (n < HEADER || !mp3_may_start(bytes, n)) return n >= 3 && memcmp(bytes, "ID3", 3) == 0;
    const size_t next = mp3_frame_bytes(bytes);
    return next + HEADER <= n && mp3_may_start(bytes + next, HEADER);
}

/* Do the first n bytes agree with this magic, as far as they go? */
static bool may_be(const magic *m, const unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n && i < m->length; i++) {
        if (m->sized && i >= 4 && i < 8) continue;
        if (bytes[i] != (unsigned char)m->bytes[i]) return false;
    }
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

detect_kind detect(const unsigned char *bytes, size_t n, bool end)
{
    bool undecided = n < 4 && mp3_may_start(bytes, n);
    if (n >= 4 && mp3_may_start(bytes, n)) return DETECT_MP3;
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++) {
        if (!may_be(&magics[i], bytes, n)) continue;
        if (n >= magics[i].length) return magics[i].kind;
        undecided = true;
    }
    if (other_format_begins(bytes, n, &undecided)) return DETECT_FOREIGN;
    if (utf16_may_start(bytes, n)) {
        if (n >= UTF16_START || (end && n >= UTF16_LEAST)) return DETECT_UTF16;
        undecided = true;
    }
    if (undecided && !end) return DETECT_WAITING;
    return text_or_raw(bytes, n, end);
}

const char *detect_name(detect_kind kind)
{
    switch (kind) {
    case DETECT_TEXT: return "text";
    case DETECT_JSONL: return "JSON Lines";
    case DETECT_F32: return "f32";
    case DETECT_WAV: return "WAV";
    case DETECT_RF64: return "RF64";
    case DETECT_W64: return "W64";
    case DETECT_AIFF: return "AIFF";
    case DETECT_AU: return "AU";
    case DETECT_FLAC: return "FLAC";
    case DETECT_OGG: return "Ogg";
    case DETECT_MP3: return "MP3";
    case DETECT_CAF: return "CAF";
    case DETECT_NPY: return "NPY";
    case DETECT_BUNDLE: return "bundle";
    case DETECT_UTF16: return "UTF-16";
    case DETECT_WAITING:
    case DETECT_FOREIGN:
    case DETECT_OTHER: break;
    }
    return "this format";
}
