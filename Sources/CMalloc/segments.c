#define _GNU_SOURCE
#include "shim.h"

#include <link.h>
#include <string.h>

typedef void (*visitor)(uintptr_t, uintptr_t, uint32_t);

static int visit_object(struct dl_phdr_info *object, size_t size, void *visit) {
    (void)size;
    /* The name of the program is empty, those of files have a slash. */
    if (object->dlpi_name && *object->dlpi_name && !strchr(object->dlpi_name, '/')) return 0;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[i];
        if (header->p_type == PT_LOAD)
            (*(visitor *)visit)(object->dlpi_addr + header->p_vaddr, header->p_memsz, header->p_flags);
    }
    return 0;
}

void spendwise_each_segment(visitor visit) { dl_iterate_phdr(visit_object, &visit); }
