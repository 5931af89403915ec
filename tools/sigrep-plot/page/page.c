#include "tools/sigrep-plot/page/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "tools/common/asset.h"
#include "tools/common/messages/messages.h"
#include "tools/common/templates/template_set.h"
#include "tools/sigrep-plot/page/page_json.h"
#include "tools/sigrep-plot/page/reduce.h"

static const double TEMPLATES_SHARE = 0.05;
enum { OVERHEAD = 8192 /* of an input: names, remarks, tags */, LEAST_DATA = 1 << 17 };

#define PAGE(name) ASSET_FILE("tools/sigrep-plot/page/" name)

ASSET(asset_html, PAGE("page.html"));
ASSET(asset_css, PAGE("page.css"));
ASSET(asset_js, PAGE("data.js") PAGE("panels.js") PAGE("chart.js") PAGE("path.js") PAGE("page.js"));
ASSET(asset_d3, ASSET_FILE(PLOT_D3)); /* of Debian's package node-d3 */

static double assets_size(void)
{
    return (double)(asset_size(&asset_html) + asset_size(&asset_css) + asset_size(&asset_js) +
                    asset_size(&asset_d3));
}

double page_least(void)
{
    return assets_size() + LEAST_DATA;
}

bool page_begin(page *p, const template_set *set, const char *title, size_t n_inputs,
                double most_bytes)
{
    *p = (page){.set = set, .title = title, .n_inputs = n_inputs};
    p->is_needed = calloc(set->n, sizeof *p->is_needed);
    p->left = (1 - TEMPLATES_SHARE) * (most_bytes - assets_size());
    return p->is_needed || report_no_memory(NULL);
}

/* ---- Bytes ------------------------------------------------------------------------------- */

/* Bytes before deflate that take at most so many in a page, even if zlib cannot shrink them: its
 * own words are five bytes in each 16 KiB, and a few. */
static double bytes_within(double page_bytes)
{
    const double few = 64, stored = 1.0 + 5.0 / 16384;
    return fmax(0, (page_bytes * 3 / 4 - few) / stored);
}

static void add_base64(text_buffer *out, const unsigned char *bytes, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        const unsigned rest = n - i < 3 ? (unsigned)(n - i) : 3;
        const unsigned long group = (unsigned long)bytes[i] << 16 |
                                    (rest > 1 ? (unsigned long)bytes[i + 1] << 8 : 0) |
                                    (rest > 2 ? (unsigned long)bytes[i + 2] : 0);
        char text[4];
        for (unsigned k = 0; k < 4; k++)
            text[k] = k <= rest ? digits[group >> (18 - 6 * k) & 63] : '=';
        text_add(out, text, sizeof text);
    }
}

/* false without memory. */
static bool add_bytes(text_buffer *out, const char *id, size_t i, const text_buffer *bytes)
{
    const unsigned char *data = (const unsigned char *)(bytes->data ? bytes->data : "");
    uLongf n = compressBound((uLong)bytes->length);
    unsigned char *deflated = malloc(n);
    const bool good = deflated && compress2(deflated, &n, data, (uLong)bytes->length, 6) == Z_OK;
    text_add_format(out, "<script type=\"application/octet-stream\" id=\"%s-%zu\">", id, i);
    if (good) add_base64(out, deflated, n);
    text_add_string(out, "</script>\n");
    free(deflated);
    return good && !out->failed;
}

/* ---- Inputs ------------------------------------------------------------------------------ */

static bool make_input(page *p, const recording *r, double most, text_buffer *json,
                       text_buffer *bytes)
{
    reduction d;
    json->length = bytes->length = 0;
    bool good = reduce(&d, r, most);
    for (size_t i = 0; good && i < d.n_matches; i++)
        p->is_needed[d.matches[i].match->template_index] |= d.matches[i].has_path;
    if (good) {
        page_json_add_input(json, &d);
        good = add_bytes(bytes, "input", p->n_added, &d.bytes) && !json->failed;
        if (!good) report_no_memory(r->name);
    }
    reduction_free(&d);
    return good;
}

/* Most inputs can be deflated to three quarters, noise cannot. So more bytes are tried first than
 * surely fit. */
bool page_add(page *p, const recording *r)
{
    const double share = p->left / (double)p->n_inputs--;
    const double within = bytes_within(share - OVERHEAD);
    text_buffer json = {0}, bytes = {0};
    if (!r) return true;
    bool good = make_input(p, r, within / 0.75, &json, &bytes);
    if (good && (double)(json.length + bytes.length) > share)
        good = make_input(p, r, within, &json, &bytes);
    if (good) {
        text_add_string(&p->json, p->n_added++ ? ",\n" : "");
        text_add(&p->json, json.data, json.length);
        text_add(&p->blobs, bytes.data, bytes.length);
        p->left -= (double)(json.length + bytes.length);
        good = (!p->json.failed && !p->blobs.failed) || report_no_memory(r->name);
    }
    free(json.data);
    free(bytes.data);
    return good;
}

/* ---- The whole page ---------------------------------------------------------------------- */

/* As text of HTML; or as JSON inside of a <script>: no "<" may begin another tag. */
static void add_escaped(text_buffer *text, const char *s, size_t n, bool is_json)
{
    for (size_t i = 0; i < n; i++) {
        const char *name = NULL;
        if (s[i] == '<') name = is_json ? "\\u003c" : "&lt;";
        if (!is_json && s[i] == '&') name = "&amp;";
        if (!is_json && s[i] == '"') name = "&quot;";
        text_add(text, name ? name : &s[i], name ? strlen(name) : 1);
    }
}

static void add_part(page *p, text_buffer *text, const char *name, const text_buffer *json)
{
    if (strncmp(name, "title}}", 7) == 0)
        add_escaped(text, p->title, strlen(p->title), false);
    else if (strncmp(name, "css}}", 5) == 0)
        text_add(text, asset_css.begin, asset_size(&asset_css));
    else if (strncmp(name, "d3}}", 4) == 0)
        text_add(text, asset_d3.begin, asset_size(&asset_d3));
    else if (strncmp(name, "js}}", 4) == 0)
        text_add(text, asset_js.begin, asset_size(&asset_js));
    else if (strncmp(name, "json}}", 6) == 0)
        add_escaped(text, json->data, json->length, true);
    else if (strncmp(name, "blobs}}", 7) == 0)
        text_add(text, p->blobs.data, p->blobs.length);
}

/* page.html, with each {{name}} replaced. */
static void add_all(page *p, text_buffer *text, const text_buffer *json)
{
    const char *at = asset_html.begin, *mark;
    while ((mark = strstr(at, "{{"))) {
        text_add(text, at, (size_t)(mark - at));
        add_part(p, text, mark + 2, json);
        at = strstr(mark, "}}") + 2;
    }
    text_add(text, at, (size_t)(asset_html.end - at));
}

bool page_end(page *p, text_buffer *text)
{
    text_buffer json = {0}, pictures = {0};
    const double room = bytes_within(TEMPLATES_SHARE / (1 - TEMPLATES_SHARE) * p->left);
    bool good = page_json_begin(&json, &pictures, p->title, p->set, p->is_needed, room) &&
                add_bytes(&p->blobs, "templates", 0, &pictures);
    text_add(&json, p->json.data, p->json.length);
    text_add_string(&json, "]}\n");
    if (good && !json.failed) add_all(p, text, &json);
    good = good && !json.failed && !text->failed;
    if (!good) report_no_memory(NULL);
    free(pictures.data);
    free(json.data);
    return good;
}

void page_free(page *p)
{
    free(p->json.data);
    free(p->blobs.data);
    free(p->is_needed);
}
