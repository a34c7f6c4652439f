#ifndef SPENDWISE_CWEBRESOURCES_H
#define SPENDWISE_CWEBRESOURCES_H

#include <stddef.h>

/* A file of Sources/Web/Resources. SwiftPM's own way (embedInCode) makes each byte an element of a Swift array, on whose
   optimisation the compiler spent half of the time of the target Web. */
struct spendwise_web_resource {
    const char *name; /* without folder */
    const unsigned char *bytes;
    size_t count;
};

/* Returns NULL if no file has this name. */
const struct spendwise_web_resource *spendwise_web_resource(const char *name);

#endif
