#define _GNU_SOURCE
#include "shim.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>

struct list {
    struct spendwise_segment *segments;
    size_t room, count;
};

static int add_object(struct dl_phdr_info *object, size_t size, void *into) {
    struct list *list = into;
    (void)size;
    /* The name of the program is empty, those of files have a slash. */
    if (object->dlpi_name && *object->dlpi_name && !strchr(object->dlpi_name, '/')) return 0;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[i];
        if (header->p_type != PT_LOAD) continue;
        if (list->count < list->room)
            list->segments[list->count] = (struct spendwise_segment){
                object->dlpi_addr + header->p_vaddr, header->p_memsz, header->p_flags};
        list->count++;
    }
    return 0;
}

typedef void (*user)(const struct spendwise_segment *, size_t);

/* Called for the first file, with the lock of the dynamic linker, which a thread may take again. */
static int list_objects(struct dl_phdr_info *object, size_t size, void *use) {
    struct list list = {NULL, 0, 0};
    (void)object, (void)size;
    dl_iterate_phdr(add_object, &list);
    list.segments = calloc(list.count, sizeof *list.segments);
    if (!list.segments) return 1;
    list.room = list.count;
    list.count = 0;
    dl_iterate_phdr(add_object, &list);
    (*(user *)use)(list.segments, list.count);
    free(list.segments);
    return 1;
}

void spendwise_with_segments(user use) { dl_iterate_phdr(list_objects, &use); }
