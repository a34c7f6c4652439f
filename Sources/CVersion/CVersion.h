#ifndef SPENDWISE_CVERSION_H
#define SPENDWISE_CVERSION_H

/* The version of the programs, their packages and the API: the one place of it. */
#define SPENDWISE_VERSION "0.1.0"

/* The commit that was built, empty if it is unknown. `make build` passes it in the environment, and Package.swift to the
   compiler. A plain `swift build` does not, so that a new commit alone relinks no tests. */
const char *spendwise_commit(void);

#endif
