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

/* CRC-32C by the processor's own instruction, which x86 processors since 2008 have. */
#if defined(__x86_64__)
static inline int czlib_has_crc32c(void) { return __builtin_cpu_supports("sse4.2") != 0; }
static inline __attribute__((target("sse4.2")))
unsigned czlib_crc32c(unsigned remainder, const unsigned char *bytes, unsigned long count) {
    unsigned long long wide = remainder;
    for (; count >= 8; bytes += 8, count -= 8) {
        unsigned long long word;
        __builtin_memcpy(&word, bytes, 8);
        wide = __builtin_ia32_crc32di(wide, word);
    }
    remainder = (unsigned)wide;
    for (; count > 0; bytes++, count--) remainder = __builtin_ia32_crc32qi(remainder, *bytes);
    return remainder;
}
#else
static inline int czlib_has_crc32c(void) { return 0; }
static inline unsigned czlib_crc32c(unsigned remainder, const unsigned char *bytes, unsigned long count) {
    (void)bytes; (void)count;
    return remainder;
}
#endif
#endif
