#ifndef SPENDWISE_CZLIB_SHIM_H
#define SPENDWISE_CZLIB_SHIM_H

#include <zlib.h>

/* Swift does not import the macros that hand over the version and the size of the structure. */

static inline int spendwise_inflate_init(z_stream *stream, int window_bits) {
    return inflateInit2(stream, window_bits);
}

static inline int spendwise_deflate_init(z_stream *stream, int level, int window_bits, int memory_level) {
    return deflateInit2(stream, level, Z_DEFLATED, window_bits, memory_level, Z_DEFAULT_STRATEGY);
}

#endif
