#ifndef SPENDWISE_CRESOLV_SHIM_H
#define SPENDWISE_CRESOLV_SHIM_H

#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <netdb.h>
#include <netinet/in.h>
#include <resolv.h>
#include <string.h>

/*
 * Asks the resolver of the system for TXT records, in a state of its own, so that threads may ask at the same time.
 * Swift does not import the bit fields and macros of res_state.
 *
 * server: an IPv4 address in network byte order that is asked in place of the servers of resolv.conf; 0 for those.
 * seconds: time that a server has for its answer; the resolver doubles it from try to try.
 * error: h_errno of the query.
 * Returns the length of the answer, which may exceed `capacity`, or -1.
 */
static inline int spendwise_query_txt(const char *name, in_addr_t server, unsigned short port, int seconds, int tries,
                                      unsigned char *answer, int capacity, int *error) {
    struct __res_state state;
    memset(&state, 0, sizeof state);
    if (res_ninit(&state) != 0) {
        *error = TRY_AGAIN;
        return -1;
    }
    state.retrans = seconds;
    state.retry = tries;
    if (server != 0) {
        state.nscount = 1;
        state.nsaddr_list[0].sin_family = AF_INET;
        state.nsaddr_list[0].sin_addr.s_addr = server;
        state.nsaddr_list[0].sin_port = htons(port);
    }
    int length = res_nquery(&state, name, ns_c_in, ns_t_txt, answer, capacity);
    *error = state.res_h_errno;
    res_nclose(&state);
    return length;
}

#endif
