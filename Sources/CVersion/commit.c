#include "CVersion.h"

#ifndef SPENDWISE_COMMIT
#define SPENDWISE_COMMIT ""
#endif

const char *spendwise_commit(void) { return SPENDWISE_COMMIT; }
