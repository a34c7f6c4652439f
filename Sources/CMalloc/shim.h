#ifndef SPENDWISE_CMALLOC_SHIM_H
#define SPENDWISE_CMALLOC_SHIM_H

/* Swift's module of the C library leaves this header out. */
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>

/* A segment of a loaded file (elf(5)): its address, its size in bytes and its flags in the file (PF_W: writable). */
struct spendwise_segment {
    uintptr_t address, size;
    uint32_t flags;
};

/* Calls `use` with the segments of all loaded files: first those of the program, then those of its libraries
   (dl_iterate_phdr(3)), none of which is unloaded meanwhile. Not of the vdso(7), which is not a file. Without memory it
   does nothing. */
void spendwise_with_segments(void (*use)(const struct spendwise_segment *segments, size_t count));

#endif
