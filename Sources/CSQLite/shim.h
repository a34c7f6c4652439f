#ifndef SPENDWISE_CSQLITE_SHIM_H
#define SPENDWISE_CSQLITE_SHIM_H

// sqlite3.h declares the session extension only beside these two. Debian's library is built with both.
#ifndef SQLITE_ENABLE_SESSION
#define SQLITE_ENABLE_SESSION 1
#endif
#ifndef SQLITE_ENABLE_PREUPDATE_HOOK
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#endif
#include <sqlite3.h>

/* Ends the counting of allocations, which takes a lock for each. Before the first connection; later it has no effect.
 * Swift does not import functions with a variable number of arguments. */
static inline int spendwise_sqlite_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/* Lets no trigger of the database fire for statements of this connection. */
static inline int spendwise_sqlite_disable_triggers(sqlite3 *db)
{
  return sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
}

#endif
