#include "tools/sigrep-plot/page.h"

#include <stdlib.h>
#include <string.h>

#include "filter/cli/common/messages.h"
#include "tools/sigrep-plot/assets.h"
#include "tools/sigrep-plot/page_json.h"
#include "tools/sigrep-plot/page_templates.h"

static const double TEMPLATES_SHARE = 0.05;
enum { OVERHEAD = 4096 /* of an input: names, remarks, tags */, LEAST_DATA = 1 << 17 };

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

static bool add_blob(page *p, const char *id, size_t i, const blob *b)
{
    text_add_format(&p->blobs, "<script type=\"application/octet-stream\" id=\"%s-%zu\">", id, i);
    const bool good = blob_write(b, &p->blobs);
    text_add_string(&p->blobs, "</script>\n");
    return good && !p->blobs.failed;
}

bool page_add(page *p, const recording *r)
{
    const double share = p->left / (double)p->n_inputs--;
    if (!r) return true;
    const size_t before = p->json.length + p->blobs.length;
    reduction d;
    bool good = reduce(&d, r, blob_fits(share - OVERHEAD));
    for (size_t i = 0; good && i < r->matches.n; i++)
        if (d.detailed[i]) p->is_needed[r->matches.items[i].template_index] = true;
    if (good) {
        text_add_string(&p->json, p->n_added ? ",\n" : "");
        page_json_add_input(&p->json, &d);
        good = add_blob(p, "input", p->n_added++, &d.bytes) && !p->json.failed;
        if (!good) report_no_memory(r->name);
    }
    p->left -= (double)(p->json.length + p->blobs.length - before);
    reduction_free(&d);
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
                add_blob(p, "templates", 0, &bytes);
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
