#ifndef SPENDWISE_CLIBXML2_SHIM_H
#define SPENDWISE_CLIBXML2_SHIM_H

/* Debian's library uses ICU, whose declarations clash with those of Foundation; no structure with them is used here. */
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/tree.h>

/* The library's deallocator is a mutable variable, which Swift does not call from several threads. */
static inline void spendwise_xml_free(xmlChar *text) { xmlFree(text); }

#endif
