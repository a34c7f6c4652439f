#ifndef SPENDWISE_CPROCESS_SHIM_H
#define SPENDWISE_CPROCESS_SHIM_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Swift does not import functions with a variable number of arguments, nor macros with casts. */
static inline int spendwise_set_dumpable(unsigned long value) { return prctl(PR_SET_DUMPABLE, value, 0, 0, 0); }
static inline int spendwise_is_dumpable(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }
static inline int spendwise_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); }
static inline int spendwise_forbid_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

/* landlock(7). The numbers are the same on every architecture; older headers lack the newer rights. */
#define SPENDWISE_LANDLOCK_EXECUTE (1ULL << 0)
#define SPENDWISE_LANDLOCK_WRITE_FILE (1ULL << 1)
#define SPENDWISE_LANDLOCK_READ_FILE (1ULL << 2)
#define SPENDWISE_LANDLOCK_READ_DIR (1ULL << 3)
#define SPENDWISE_LANDLOCK_REMOVE_DIR (1ULL << 4)
#define SPENDWISE_LANDLOCK_REMOVE_FILE (1ULL << 5)
#define SPENDWISE_LANDLOCK_MAKE_DIR (1ULL << 7)
#define SPENDWISE_LANDLOCK_MAKE_REG (1ULL << 8)
#define SPENDWISE_LANDLOCK_REFER (1ULL << 13)
#define SPENDWISE_LANDLOCK_TRUNCATE (1ULL << 14)
#define SPENDWISE_LANDLOCK_BIND_TCP (1ULL << 0)
#define SPENDWISE_LANDLOCK_CONNECT_TCP (1ULL << 1)

/* O_PATH, which glibc names so without _GNU_SOURCE. */
static const int spendwise_place_only = __O_PATH;

/* The version of the kernel's Landlock; negative without it. */
static inline int spendwise_landlock_version(void) { return (int)syscall(444, 0, 0, 1); }

static inline int spendwise_landlock_create(uint64_t files, uint64_t network, int has_network) {
    struct { uint64_t files, network; } attributes = {files, network};
    return (int)syscall(444, &attributes, has_network ? 16 : 8, 0);
}

static inline int spendwise_landlock_allow_below(int rules, uint64_t rights, int folder) {
    struct __attribute__((packed)) { uint64_t rights; int32_t folder; } below = {rights, folder};
    return (int)syscall(445, rules, 1, &below, 0);
}

static inline int spendwise_landlock_allow_port(int rules, uint64_t rights, uint64_t port) {
    struct { uint64_t rights, port; } place = {rights, port};
    return (int)syscall(445, rules, 2, &place, 0);
}

static inline int spendwise_landlock_enter(int rules) { return (int)syscall(446, rules, 0); }

/* glibc declares these two for _GNU_SOURCE only, which Swift's module of it does not define. */
extern int pipe2(int ends[2], int flags);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

#endif
