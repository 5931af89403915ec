#include "tools/sigrep-plot/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/messages/messages.h"
#include "tools/common/templates/template_set.h"
#include "tools/sigrep-plot/assets.h"
#include "tools/sigrep-plot/page_json.h"
#include "tools/sigrep-plot/page_templates.h"
#include "tools/sigrep-plot/recording.h"
#include "tools/sigrep-plot/reduce.h"

static const double TEMPLATES_SHARE = 0.05;
enum { OVERHEAD = 8192 /* of an input: names, remarks, tags */, LEAST_DATA = 1 << 17 };

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

static bool add_blob(text_buffer *blobs, const char *id, size_t i, const blob *b)
{
    text_add_format(blobs, "<script type=\"application/octet-stream\" id=\"%s-%zu\">", id, i);
    const bool good = blob_write(b, blobs);
    text_add_string(blobs, "</script>\n");
    return good && !blobs->failed;
}

/* What an input adds to a page. */
typedef struct {
    text_buffer json, blob;
    double size;
} input_text;

static bool make_input(page *p, const recording *r, double most, input_text *text)
{
    reduction d;
    text->json.length = text->blob.length = 0;
    bool good = reduce(&d, r, most);
    for (size_t i = 0; good && i < r->matches.n; i++)
        if (d.has_path[i]) p->is_needed[r->matches.items[i].template_index] = true;
    if (good) {
        page_json_add_input(&text->json, &d);
        good = add_blob(&text->blob, "input", p->n_added, &d.bytes) && !text->json.failed;
        if (!good) report_no_memory(r->name);
    }
    text->size = (double)(text->json.length + text->blob.length);
    reduction_free(&d);
    return good;
}

/* Most inputs can be deflated to three quarters, noise cannot. So more bytes are tried first than
 * surely fit. */
bool page_add(page *p, const recording *r)
{
    static const double deflated[] = {0.75, 1};
    const double share = p->left / (double)p->n_inputs--;
    input_text text = {.size = INFINITY};
    bool good = true;
    if (!r) return true;
    for (size_t i = 0; good && text.size > share && i < sizeof deflated / sizeof *deflated; i++)
        good = make_input(p, r, blob_fits(share - OVERHEAD) / deflated[i], &text);
    if (good) {
        text_add_string(&p->json, p->n_added++ ? ",\n" : "");
        text_add(&p->json, text.json.data, text.json.length);
        text_add(&p->blobs, text.blob.data, text.blob.length);
        p->left -= text.size;
        good = (!p->json.failed && !p->blobs.failed) || report_no_memory(r->name);
    }
    free(text.json.data);
    free(text.blob.data);
    return good;
}

static void add_html_escaped(text_buffer *text, const char *s)
{
    for (; *s; s++) {
        const char *name = *s == '<' ? "&lt;" : *s == '&' ? "&amp;" : *s == '"' ? "&quot;" : NULL;
        if (name)
            text_add_string(text, name);
        else
            text_add(text, s, 1);
    }
}

/* JSON inside of a <script>: no "<" may begin another tag. */
static void add_json(text_buffer *text, const text_buffer *json)
{
    for (size_t i = 0; i < json->length; i++) {
        if (json->data[i] == '<')
            text_add_string(text, "\\u003c");
        else
            text_add(text, &json->data[i], 1);
    }
}

static void add_part(page *p, text_buffer *text, const char *name, const text_buffer *json)
{
    if (strncmp(name, "title}}", 7) == 0)
        add_html_escaped(text, p->title);
    else if (strncmp(name, "css}}", 5) == 0)
        text_add(text, asset_css.begin, asset_size(&asset_css));
    else if (strncmp(name, "d3}}", 4) == 0)
        text_add(text, asset_d3.begin, asset_size(&asset_d3));
    else if (strncmp(name, "js}}", 4) == 0)
        text_add(text, asset_js.begin, asset_size(&asset_js));
    else if (strncmp(name, "json}}", 6) == 0)
        add_json(text, json);
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
    text_buffer json = {0};
    blob bytes = {0};
    const double room = blob_fits(TEMPLATES_SHARE / (1 - TEMPLATES_SHARE) * p->left);
    text_add_string(&json, "{\"version\":\"" SIGREP_VERSION "\",\"title\":");
    page_json_add_title(&json, p->title, p->set);
    bool good = page_templates_add(&json, &bytes, p->set, p->is_needed, room > 0 ? room : 0) &&
                add_blob(&p->blobs, "templates", 0, &bytes);
    text_add_string(&json, ",\"inputs\":[\n");
    text_add(&json, p->json.data, p->json.length);
    text_add_string(&json, "]}\n");
    if (good && !json.failed) add_all(p, text, &json);
    good = good && !json.failed && !text->failed;
    if (!good) report("out of memory");
    blob_free(&bytes);
    free(json.data);
    return good;
}

void page_free(page *p)
{
    free(p->json.data);
    free(p->blobs.data);
    free(p->is_needed);
    *p = (page){0};
}
