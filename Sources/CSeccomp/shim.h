#ifndef SPENDWISE_CSECCOMP_SHIM_H
#define SPENDWISE_CSECCOMP_SHIM_H

#include <errno.h>
#include <seccomp.h>

/* Swift does not import macros with arguments. */
static const uint32_t spendwise_seccomp_refuse = SCMP_ACT_ERRNO(EPERM);

#endif
