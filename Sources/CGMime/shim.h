#ifndef SPENDWISE_CGMIME_SHIM_H
#define SPENDWISE_CGMIME_SHIM_H

#include <gmime/gmime.h>

// GObject's type checks are macros with a cast inside; Swift sees neither.

static inline gboolean cgmime_is_part(void *object) {
  return GMIME_IS_PART((GMimeObject *)object);
}

static inline gboolean cgmime_is_multipart(void *object) {
  return GMIME_IS_MULTIPART((GMimeObject *)object);
}

static inline gboolean cgmime_is_message_part(void *object) {
  return GMIME_IS_MESSAGE_PART((GMimeObject *)object);
}

static inline gboolean cgmime_is_group(void *address) {
  return INTERNET_ADDRESS_IS_GROUP((InternetAddress *)address);
}

#endif
