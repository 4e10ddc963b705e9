#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H
#include <zlib.h>
/* deflateInit2 and inflateInit2 are function-like macros, which Swift does not import. */
static inline int czlib_deflateInit2(z_streamp s, int level, int windowBits, int memLevel, int strategy) {
    return deflateInit2(s, level, Z_DEFLATED, windowBits, memLevel, strategy);
}
static inline int czlib_inflateInit2(z_streamp s, int windowBits) {
    return inflateInit2(s, windowBits);
}
#endif
