/*
 * monitor_page.h - a page on 127.0.0.1 that shows the run in browsers (--monitor-page).
 *
 *     search --> monitor_page_show --> a snapshot --> /now.json <-- the page, 4 times a second
 *                                       HTML, CSS, JavaScript --> /         <-- a browser
 *
 * libmicrohttpd answers in a thread of its own. Three snapshots lie between it and the search: one
 * is written, one is read, and one is the newest, which both exchange for theirs. So neither ever
 * waits for the other.
 *
 * Only GET is answered, and only if the Host header names this machine: the name of another site
 * may be made to point here (DNS rebinding).
 *
 * The library is loaded when a page is opened. It brings the libraries of TLS with it, and linked
 * it would add half to the time that every sigrep takes to start.
 */
#ifndef TOOLS_SIGREP_MONITOR_MONITOR_PAGE_H
#define TOOLS_SIGREP_MONITOR_MONITOR_PAGE_H

#include <stdint.h>

#include "tools/sigrep/monitor/monitor_json.h"

typedef struct monitor_page monitor_page;

/* Listen on this port; 0: on a free one. Reports the address. A view may have up to n_rows rows.
 * The caller closes it. NULL after a failure, which is reported. */
monitor_page *monitor_page_open(uint16_t port, size_t n_rows);
void monitor_page_close(monitor_page *page); /* NULL is allowed */

/* From one thread: add a match, which is shown from the next call of monitor_page_show on. */
void monitor_page_match(monitor_page *page, const shown_match *match);
void monitor_page_show(monitor_page *page, const monitor_view *view);

#endif
