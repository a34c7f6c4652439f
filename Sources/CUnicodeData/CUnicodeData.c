#include "CUnicodeData.h"
#include <stdint.h>

/* GRDB, Yams and swift-mustache import Foundation, which contains ICU with 34 MB of data about languages, calendars and
   time zones. No function that needs them is called: no target of this package imports more than FoundationEssentials
   (LadderTests). This table without entries is ICU's own stand-in for its data (icu4c/source/stubdata/stubdata.cpp).
   The linker finds it before the one in Foundation's archive and leaves that one out. Properties of characters,
   normalization and regular expressions need no data; what does need them reports U_MISSING_RESOURCE_ERROR.

   Hidden, so that a Foundation in a shared library keeps its own. Swift with another version of ICU has another name
   for it: the programs then work as well and are larger. */
struct table {
    uint16_t header_size;
    uint8_t magic[2];
    uint16_t info_size;
    uint16_t reserved;
    uint8_t is_big_endian;
    uint8_t charset_family;
    uint8_t char_size;
    uint8_t padding;
    uint8_t format[4];
    uint8_t format_version[4];
    uint8_t data_version[4];
    uint8_t more_padding[8];
    uint32_t count;
    uint32_t more_reserved;
    uintptr_t no_entries[2];
};

__attribute__((visibility("hidden"), used)) const struct table icudt76_dat = {
    .header_size = 32,
    .magic = {0xDA, 0x27},
    .info_size = 20,
    .is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
    .char_size = 2,
    .format = {'T', 'o', 'C', 'P'},
    .format_version = {1, 0, 0, 0},
};
