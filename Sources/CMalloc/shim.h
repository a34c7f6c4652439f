#ifndef SPENDWISE_CMALLOC_SHIM_H
#define SPENDWISE_CMALLOC_SHIM_H

/* Swift's module of the C library leaves this header out. */
#include <malloc.h>
#include <stdint.h>

/* Calls `visit` for each segment of each loaded file (dl_iterate_phdr(3), elf(5)): its address, its size in bytes and
   its flags in the file (PF_W: writable). Not for the vdso(7), which is not a file. */
void spendwise_each_segment(void (*visit)(uintptr_t address, uintptr_t size, uint32_t flags));

#endif
