#ifndef SPENDWISE_COPENDKIM_SHIM_H
#define SPENDWISE_COPENDKIM_SHIM_H

#include <opendkim/dkim.h>

/* The library takes names of tags as mutable bytes and does not change them. */
static inline const char *spendwise_dkim_tag(DKIM_SIGINFO *signature, const char *name) {
    return (const char *)dkim_sig_gettagvalue(signature, 0, (u_char *)name);
}

#endif
