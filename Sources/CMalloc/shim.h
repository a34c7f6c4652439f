#ifndef SPENDWISE_CMALLOC_SHIM_H
#define SPENDWISE_CMALLOC_SHIM_H

/* Swift's module of the C library leaves this header out. */
#include <malloc.h>

#endif
