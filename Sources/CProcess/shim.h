#ifndef SPENDWISE_CPROCESS_SHIM_H
#define SPENDWISE_CPROCESS_SHIM_H

#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>

/* Swift does not import functions with a variable number of arguments. */
static inline int spendwise_set_dumpable(unsigned long value) { return prctl(PR_SET_DUMPABLE, value, 0, 0, 0); }
static inline int spendwise_is_dumpable(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }
static inline int spendwise_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); }
static inline int spendwise_forbid_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

/* glibc declares these two for _GNU_SOURCE only, which Swift's module of it does not define. */
extern int pipe2(int ends[2], int flags);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

#endif
