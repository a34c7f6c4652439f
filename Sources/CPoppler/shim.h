#ifndef SPENDWISE_CPOPPLER_SHIM_H
#define SPENDWISE_CPOPPLER_SHIM_H

#include <poppler.h>

/* The domain of errors is a function behind a macro, which Swift does not see. */
static inline gboolean spendwise_pdf_is_encrypted(const GError *error) {
  return g_error_matches(error, POPPLER_ERROR, POPPLER_ERROR_ENCRYPTED);
}

#endif
