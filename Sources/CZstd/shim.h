#ifndef SPENDWISE_CZSTD_SHIM_H
#define SPENDWISE_CZSTD_SHIM_H

#include <zdict.h>
#include <zstd.h>

#endif
