/* The C client of the comparison: fetches the banks' mails over IMAP with libcurl and finds the amount in each.
 *
 *   client HOST PORT CAFILE USER PASSWORD [--watch] SENDER...
 *
 * It searches INBOX for the senders, requests all mails found in one command and prints their number and that of the
 * amounts. It decodes nothing and keeps nothing: it shows what connection, server and transfer cost at least. With
 * --watch it then waits for new mail (IDLE, RFC 2177) and prints a line for each.
 */
#define _GNU_SOURCE
#include <curl/curl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CURL *connection;
static curl_socket_t connected;
static char *text; /* what the server sent and nobody has read yet */
static size_t length, capacity;

static void fail(const char *what) {
    fprintf(stderr, "client: %s\n", what);
    exit(1);
}

static void wait_for(short event) {
    struct pollfd descriptor = {connected, event, 0};
    if (poll(&descriptor, 1, event == POLLIN ? -1 : 30000) <= 0) fail("no answer");
}

static void send_text(const char *line) {
    size_t left = strlen(line);
    while (left > 0) {
        size_t sent = 0;
        CURLcode code = curl_easy_send(connection, line, left, &sent);
        if (code == CURLE_AGAIN) wait_for(POLLOUT);
        else if (code != CURLE_OK) fail(curl_easy_strerror(code));
        line += sent;
        left -= sent;
    }
}

static void receive(void) {
    if (capacity - length < 65536) {
        capacity = capacity == 0 ? 1 << 20 : capacity * 2;
        text = realloc(text, capacity + 1);
        if (text == NULL) fail("no memory");
    }
    for (;;) {
        size_t got = 0;
        CURLcode code = curl_easy_recv(connection, text + length, capacity - length, &got);
        if (code == CURLE_AGAIN) {
            wait_for(POLLIN);
            continue;
        }
        if (code != CURLE_OK || got == 0) fail("the server closed the connection");
        length += got;
        text[length] = 0;
        return;
    }
}

static void discard(size_t count) {
    memmove(text, text + count, length - count + 1);
    length -= count;
}

/* Returns the length of the answer up to the end of the line that begins with `tag`. */
static size_t answer(const char *tag) {
    char marker[32];
    size_t searched = 0;
    int size = snprintf(marker, sizeof marker, "\n%s ", tag);
    for (;;) {
        char *found = length > searched ? memmem(text + searched, length - searched, marker, (size_t)size) : NULL;
        if (found == NULL && length >= (size_t)size - 1 && memcmp(text, marker + 1, (size_t)size - 1) == 0) found = text;
        if (found != NULL) {
            char *end = strchr(found + 1, '\n');
            if (end != NULL) return (size_t)(end - text) + 1;
        }
        searched = length > (size_t)size ? length - (size_t)size : 0;
        receive();
    }
}

static void command(const char *tag, const char *line) {
    send_text(tag);
    send_text(" ");
    send_text(line);
    send_text("\r\n");
}

/* Fetches `set` and returns the number of mails; adds those with an amount to `amounts`. */
static long fetch(const char *set, long *amounts) {
    long mails = 0;
    int has_amount = 1;
    send_text("f UID FETCH ");
    send_text(set);
    send_text(" (UID BODY.PEEK[])\r\n");
    for (;;) {
        size_t used = 0;
        char *line = text, *end;
        while (line != NULL && line < text + length && (end = memchr(line, '\n', length - (size_t)(line - text))) != NULL) {
            *end = 0;
            if (strncmp(line, "* ", 2) == 0 && strstr(line, " FETCH (") != NULL) {
                mails++;
                has_amount = 0;
            } else if (!has_amount && (strstr(line, "Rs.") != NULL || strstr(line, "INR ") != NULL || strstr(line, "Rs ") != NULL)) {
                has_amount = 1;
                ++*amounts;
            } else if (strncmp(line, "f ", 2) == 0) {
                if (strncmp(line, "f OK", 4) != 0) fail(line);
                discard((size_t)(end - text) + 1);
                return mails;
            }
            line = end + 1;
            used = (size_t)(line - text);
        }
        if (used > 0) discard(used);
        receive();
    }
}

/* Makes "1,2,3" of "* SEARCH 1 2 3". Returns NULL if nothing was found; the caller frees it. */
static char *found_set(size_t size) {
    char *begin = memmem(text, size, "* SEARCH ", 9), *end, *set;
    if (begin == NULL) return NULL;
    begin += 9;
    end = begin + strcspn(begin, "\r\n");
    set = strndup(begin, (size_t)(end - begin));
    if (set == NULL) fail("no memory");
    for (char *blank = set; (blank = strchr(blank, ' ')) != NULL;) *blank = ',';
    return set;
}

static void watch(void) {
    long known = -1, amounts = 0;
    for (;;) {
        char line[64];
        size_t size;
        char *set;
        command("n", "UID SEARCH UID *");
        size = answer("n");
        set = found_set(size);
        discard(size);
        long last = set == NULL ? 0 : atol(set);
        free(set);
        if (known >= 0 && last > known) {
            snprintf(line, sizeof line, "%ld:%ld", known + 1, last);
            for (long count = fetch(line, &amounts); count > 0; count--) puts("mail");
            fflush(stdout);
        } else if (known < 0) {
            puts("ready");
            fflush(stdout);
        }
        known = last;
        command("i", "IDLE");
        while (memmem(text, length, " EXISTS", 7) == NULL) receive();
        send_text("DONE\r\n");
        discard(answer("i"));
    }
}

int main(int count, char **words) {
    char url[512], *criteria, *set;
    int first = 6, watches = 0;
    long mails = 0, amounts = 0;
    size_t size;
    CURLcode code;
    if (count > 6 && strcmp(words[6], "--watch") == 0) {
        watches = 1;
        first = 7;
    }
    if (count <= first) {
        fputs("usage: client HOST PORT CAFILE USER PASSWORD [--watch] SENDER...\n", stderr);
        return 2;
    }
    curl_global_init(CURL_GLOBAL_ALL);
    connection = curl_easy_init();
    snprintf(url, sizeof url, "imaps://%s:%s/", words[1], words[2]);
    curl_easy_setopt(connection, CURLOPT_URL, url);
    curl_easy_setopt(connection, CURLOPT_CAINFO, words[3]);
    curl_easy_setopt(connection, CURLOPT_USERNAME, words[4]);
    curl_easy_setopt(connection, CURLOPT_PASSWORD, words[5]);
    curl_easy_setopt(connection, CURLOPT_CONNECT_ONLY, 1L);
    code = curl_easy_perform(connection);
    if (code != CURLE_OK) fail(curl_easy_strerror(code));
    curl_easy_getinfo(connection, CURLINFO_ACTIVESOCKET, &connected);

    command("e", "EXAMINE INBOX");
    criteria = strdup("UID SEARCH ");
    for (int index = first; index < count; index++) {
        char *longer;
        if (asprintf(&longer, "%s%sFROM \"%s\"%s", criteria, index + 1 < count ? "OR " : "", words[index], index + 1 < count ? " " : "") < 0)
            fail("no memory");
        free(criteria);
        criteria = longer;
    }
    command("s", criteria);
    size = answer("s");
    set = found_set(size);
    discard(size);
    if (set != NULL) mails = fetch(set, &amounts);
    printf("%ld mails, %ld with an amount\n", mails, amounts);
    if (watches) watch();
    free(set);
    free(criteria);
    curl_easy_cleanup(connection);
    return 0;
}
