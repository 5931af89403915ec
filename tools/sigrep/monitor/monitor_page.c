#include "tools/sigrep/monitor/monitor_page.h"

#include "tools/common/messages/messages.h"

#ifndef SIGREP_HTTP

monitor_page *monitor_page_open(uint16_t port, size_t n_rows)
{
    (void)port, (void)n_rows;
    report("--monitor-page: built without libmicrohttpd");
    return NULL;
}

void monitor_page_close(monitor_page *page)
{
    (void)page;
}

void monitor_page_match(monitor_page *page, const shown_match *match)
{
    (void)page, (void)match;
}

void monitor_page_show(monitor_page *page, const monitor_view *view)
{
    (void)page, (void)view;
}

#else

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <microhttpd.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tools/common/asset.h"

enum { CONNECTIONS = 16, CONNECTION_BYTES = 8192, IDLE_S = 10 };

ASSET(monitor_html, ASSET_FILE("tools/sigrep/monitor/page.html"));
ASSET(monitor_css, ASSET_FILE("tools/sigrep/monitor/page.css"));
ASSET(monitor_js, ASSET_FILE("tools/sigrep/monitor/page.js"));

static const struct {
    const char *path, *type;
    const asset *file;
} files[] = {{"/", "text/html; charset=utf-8", &monitor_html},
             {"/page.css", "text/css; charset=utf-8", &monitor_css},
             {"/page.js", "text/javascript; charset=utf-8", &monitor_js}};

static const char *const headers[][2] = {
    {"Allow", "GET"},
    {"Cache-Control", "no-store"},
    {"Content-Security-Policy",
     "default-src 'none'; connect-src 'self'; img-src data:; script-src 'self'; style-src 'self'; "
     "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Referrer-Policy", "no-referrer"},
    {"X-Content-Type-Options", "nosniff"}};

/* The functions of libmicrohttpd that are used. */
typedef struct {
    __typeof__(&MHD_start_daemon) start_daemon;
    __typeof__(&MHD_stop_daemon) stop_daemon;
    __typeof__(&MHD_lookup_connection_value) lookup_connection_value;
    __typeof__(&MHD_create_response_from_buffer) create_response_from_buffer;
    __typeof__(&MHD_add_response_header) add_response_header;
    __typeof__(&MHD_queue_response) queue_response;
    __typeof__(&MHD_destroy_response) destroy_response;
} http_functions;

/* A snapshot, with room for its rows. */
typedef struct {
    monitor_snapshot now;
    monitor_row *rows;
} slot;

enum { SLOTS = 3, IS_NEW = 4 /* with the number of a slot: it was not read yet */ };

struct monitor_page {
    http_functions http;
    struct MHD_Daemon *daemon;
    char hosts[2][32]; /* what the Host header may be */
    slot slots[SLOTS];
    atomic_uint newest;
    unsigned written; /* the search's slot */
    unsigned read;    /* the server's */
    shown_match matches[PAGE_MATCHES];
    size_t n_matches;
};

/* ---- The search's side ---- */

void monitor_page_match(monitor_page *page, const shown_match *match)
{
    if (page->n_matches < PAGE_MATCHES) page->n_matches++;
    memmove(page->matches + 1, page->matches, (page->n_matches - 1) * sizeof *match);
    page->matches[0] = *match;
}

void monitor_page_show(monitor_page *page, const monitor_view *view)
{
    slot *s = &page->slots[page->written];
    s->now.view = *view;
    s->now.view.rows = s->rows;
    memcpy(s->rows, view->rows, view->n_rows * sizeof *view->rows);
    s->now.n_matches = page->n_matches;
    memcpy(s->now.matches, page->matches, page->n_matches * sizeof *page->matches);
    page->written = atomic_exchange(&page->newest, page->written | IS_NEW) & ~(unsigned)IS_NEW;
}

/* ---- The server's side ---- */

static const monitor_snapshot *newest(monitor_page *page)
{
    if (atomic_load(&page->newest) & IS_NEW)
        page->read = atomic_exchange(&page->newest, page->read) & ~(unsigned)IS_NEW;
    return &page->slots[page->read].now;
}

/* Sends n bytes, which `mode` says who frees. MHD_NO ends the connection. */
static enum MHD_Result reply(const monitor_page *page, struct MHD_Connection *connection,
                             unsigned status, const char *type, const char *data, size_t n,
                             enum MHD_ResponseMemoryMode mode)
{
    const http_functions *http = &page->http;
    struct MHD_Response *r = http->create_response_from_buffer(n, (void *)(uintptr_t)data, mode);
    if (!r) return MHD_NO;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        http->add_response_header(r, headers[i][0], headers[i][1]);
    http->add_response_header(r, "Content-Type", type);
    const enum MHD_Result result = http->queue_response(connection, status, r);
    http->destroy_response(r);
    return result;
}

static enum MHD_Result refuse(const monitor_page *page, struct MHD_Connection *connection,
                              unsigned status, const char *words)
{
    return reply(page, connection, status, "text/plain; charset=utf-8", words, strlen(words),
                 MHD_RESPMEM_PERSISTENT);
}

static enum MHD_Result reply_now(monitor_page *page, struct MHD_Connection *connection)
{
    text_buffer json = {0};
    monitor_json(&json, newest(page));
    if (!json.failed)
        return reply(page, connection, MHD_HTTP_OK, "application/json", json.data, json.length,
                     MHD_RESPMEM_MUST_FREE);
    free(json.data);
    return MHD_NO;
}

static bool is_ours(const monitor_page *page, const char *host)
{
    return host && (strcasecmp(host, page->hosts[0]) == 0 || strcasecmp(host, page->hosts[1]) == 0);
}

static enum MHD_Result answer(void *user, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *body,
                              size_t *body_bytes, void **request)
{
    monitor_page *page = user;
    (void)version, (void)body, (void)body_bytes, (void)request;
    if (!is_ours(page, page->http.lookup_connection_value(connection, MHD_HEADER_KIND, "Host")))
        return refuse(page, connection, MHD_HTTP_FORBIDDEN, "This host name is not served here.\n");
    if (strcmp(method, "GET") != 0)
        return refuse(page, connection, MHD_HTTP_METHOD_NOT_ALLOWED, "Only GET is served here.\n");
    if (strcmp(path, "/now.json") == 0) return reply_now(page, connection);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (strcmp(path, files[i].path) == 0)
            return reply(page, connection, MHD_HTTP_OK, files[i].type, files[i].file->begin,
                         asset_size(files[i].file), MHD_RESPMEM_PERSISTENT);
    return refuse(page, connection, MHD_HTTP_NOT_FOUND, "There is nothing here.\n");
}

/* ---- Opening and closing ---- */

/* ISO C has no cast from an object's address to a function's. */
static bool find(void *library, void *function, const char *name)
{
    void *address = dlsym(library, name);
    memcpy(function, &address, sizeof address);
    return address;
}

static bool load(http_functions *http)
{
    void *library = dlopen(SIGREP_HTTP, RTLD_NOW);
    if (library && find(library, &http->start_daemon, "MHD_start_daemon") &&
        find(library, &http->stop_daemon, "MHD_stop_daemon") &&
        find(library, &http->lookup_connection_value, "MHD_lookup_connection_value") &&
        find(library, &http->create_response_from_buffer, "MHD_create_response_from_buffer") &&
        find(library, &http->add_response_header, "MHD_add_response_header") &&
        find(library, &http->queue_response, "MHD_queue_response") &&
        find(library, &http->destroy_response, "MHD_destroy_response"))
        return true;
    report("--monitor-page needs libmicrohttpd: %s", dlerror());
    return false;
}

/* A socket that listens on *port, or on a free one, whose number *port becomes. -1 after a failure,
 * which is reported. */
static int listen_on(uint16_t *port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(*port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr *any = (struct sockaddr *)&address;
    socklen_t size = sizeof address;
    const int yes = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const bool good = fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
                      bind(fd, any, size) == 0 && listen(fd, CONNECTIONS) == 0 &&
                      getsockname(fd, any, &size) == 0;
    if (!good) {
        report("--monitor-page %u: %s", *port, strerror(errno));
        if (fd >= 0) close(fd);
        return -1;
    }
    *port = ntohs(address.sin_port);
    return fd;
}

/* The server's thread gets no signals: those are for the other threads. */
static bool start(monitor_page *page, int fd)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    page->daemon = page->http.start_daemon(
        MHD_USE_POLL_INTERNAL_THREAD | MHD_USE_ITC, 0, NULL, NULL, answer, page,
        MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)IDLE_S, MHD_OPTION_END);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!page->daemon) report("--monitor-page: the server cannot start");
    return page->daemon;
}

/* Browsers leave port 80 out. */
static void name_hosts(monitor_page *page, uint16_t port)
{
    static const char *const names[] = {"127.0.0.1", "localhost"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (port == 80)
            snprintf(page->hosts[i], sizeof page->hosts[i], "%s", names[i]);
        else
            snprintf(page->hosts[i], sizeof page->hosts[i], "%s:%u", names[i], port);
}

static bool allocate_rows(monitor_page *page, size_t n_rows)
{
    bool good = true;
    for (size_t i = 0; i < SLOTS; i++) {
        page->slots[i].rows = calloc(n_rows, sizeof *page->slots[i].rows);
        good = good && page->slots[i].rows;
    }
    return good || report_no_memory("--monitor-page");
}

monitor_page *monitor_page_open(uint16_t port, size_t n_rows)
{
    int fd = -1;
    monitor_page *page = calloc(1, sizeof *page);
    if (!page) {
        report_no_memory("--monitor-page");
        return NULL;
    }
    page->written = 0;
    page->newest = 1;
    page->read = 2;
    if (allocate_rows(page, n_rows) && load(&page->http)) fd = listen_on(&port);
    name_hosts(page, port);
    if (fd < 0 || !start(page, fd)) {
        monitor_page_close(page);
        return NULL;
    }
    report("the page is http://%s/", page->hosts[0]);
    return page;
}

void monitor_page_close(monitor_page *page)
{
    if (!page) return;
    if (page->daemon) page->http.stop_daemon(page->daemon);
    for (size_t i = 0; i < SLOTS; i++) free(page->slots[i].rows);
    free(page);
}

#endif
