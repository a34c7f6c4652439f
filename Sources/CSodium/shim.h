#ifndef SPENDWISE_CSODIUM_SHIM_H
#define SPENDWISE_CSODIUM_SHIM_H

#include <sodium.h>

#endif
