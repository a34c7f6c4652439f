#ifndef SPENDWISE_CTIMEX_SHIM_H
#define SPENDWISE_CTIMEX_SHIM_H

/* Swift's module of the C library leaves this header out. */
#include <sys/timex.h>

#endif
