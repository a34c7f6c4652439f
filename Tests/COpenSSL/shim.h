#ifndef SPENDWISE_COPENSSL_SHIM_H
#define SPENDWISE_COPENSSL_SHIM_H
#include <openssl/ssl.h>
#endif
