#ifndef SPENDWISE_CPRCTL_SHIM_H
#define SPENDWISE_CPRCTL_SHIM_H

#include <sys/prctl.h>

/* Swift does not import functions with a variable number of arguments. */
static inline int spendwise_set_dumpable(unsigned long value) { return prctl(PR_SET_DUMPABLE, value, 0, 0, 0); }
static inline int spendwise_is_dumpable(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }

#endif
