#include "tools/sigrep-plot/assets.h"

/* The assembler includes the files; it finds them from the top of the source. */
#define PART(path) ".incbin \"" path "\"\n"
#define INCLUDE_FILES(name, parts)                                                                 \
    __asm__(".section .rodata\n"                                                                   \
            ".hidden " #name "_begin\n.hidden " #name "_end\n"                                     \
            ".globl " #name "_begin\n.globl " #name "_end\n" #name "_begin:\n" parts #name         \
            "_end:\n.byte 0\n"                                                                     \
            ".previous\n");                                                                        \
    extern const char name##_begin[], name##_end[]
#define PAGE "tools/sigrep-plot/page/"

INCLUDE_FILES(plot_html, PART(PAGE "page.html"));
INCLUDE_FILES(plot_css, PART(PAGE "page.css"));
INCLUDE_FILES(plot_js, PART(PAGE "data.js") PART(PAGE "times.js") PART(PAGE "panels.js")
                           PART(PAGE "chart.js") PART(PAGE "path.js") PART(PAGE "page.js"));
INCLUDE_FILES(plot_d3, PART(PLOT_D3));

size_t asset_size(const asset *a)
{
    return (size_t)(a->end - a->begin);
}

const asset asset_html = {plot_html_begin, plot_html_end};
const asset asset_css = {plot_css_begin, plot_css_end};
const asset asset_js = {plot_js_begin, plot_js_end};
const asset asset_d3 = {plot_d3_begin, plot_d3_end};
