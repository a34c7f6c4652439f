#ifndef SPENDWISE_CSQLITE_SHIM_H
#define SPENDWISE_CSQLITE_SHIM_H

#include <sqlite3.h>

/* Ends the counting of allocations, which takes a lock for each. Before the first connection; later it has no effect.
 * Swift does not import functions with a variable number of arguments. */
static inline int spendwise_sqlite_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

#endif
