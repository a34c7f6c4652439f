#ifndef SPENDWISE_CPCRE2_H
#define SPENDWISE_CPCRE2_H

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

// PCRE2_UNSET and PCRE2_ZERO_TERMINATED are casts of ~0, which Swift does not import.
static inline size_t spendwise_pcre2_unset(void) { return PCRE2_UNSET; }

#endif
