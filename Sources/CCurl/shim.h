#ifndef SPENDWISE_CCURL_SHIM_H
#define SPENDWISE_CCURL_SHIM_H

#include <curl/curl.h>
#include <openssl/ssl.h>

/* Swift cannot call C functions with variable arguments: one inline function for each kind of argument.
   The macros of curl's type checker are put out of the way by the parentheses around the names. */

static inline CURLcode spendwise_setopt_long(CURL *handle, CURLoption option, long value) {
    return (curl_easy_setopt)(handle, option, value);
}

/* libcurl copies the string. */
static inline CURLcode spendwise_setopt_string(CURL *handle, CURLoption option, const char *value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode spendwise_setopt_pointer(CURL *handle, CURLoption option, void *value) {
    return (curl_easy_setopt)(handle, option, value);
}

typedef size_t (*spendwise_data_callback)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode spendwise_setopt_data_callback(CURL *handle, CURLoption option, spendwise_data_callback value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode spendwise_getinfo_long(CURL *handle, CURLINFO info, long *value) {
    return (curl_easy_getinfo)(handle, info, value);
}

static inline CURLcode spendwise_getinfo_socket(CURL *handle, CURLINFO info, curl_socket_t *value) {
    return (curl_easy_getinfo)(handle, info, value);
}

/* Makes OpenSSL read all available bytes at once instead of the five bytes of a record's header and then the record: servers write small records
   (Dovecot 4 kB), and two system calls for each cost more than the decryption. Call it after libcurl's last wait for the socket, because libcurl
   does not see bytes that were read ahead. Does nothing without OpenSSL. */
static inline void spendwise_read_ahead(CURL *handle) {
    struct curl_tlssessioninfo *session = NULL;
    if ((curl_easy_getinfo)(handle, CURLINFO_TLS_SSL_PTR, &session) == CURLE_OK && session
        && session->backend == CURLSSLBACKEND_OPENSSL && session->internals)
        SSL_set_read_ahead((SSL *)session->internals, 1);
}

/* CURLMsg holds its result in a union, and CURLMSG_DONE is the only kind of message. Returns -1 if there is none. */
static inline int spendwise_multi_result(CURLM *multi) {
    int left = 0;
    CURLMsg *message = curl_multi_info_read(multi, &left);
    return message && message->msg == CURLMSG_DONE ? (int)message->data.result : -1;
}

/* An expression of casts, which Swift does not import. */
static const long spendwise_global_default = CURL_GLOBAL_DEFAULT;

#endif
