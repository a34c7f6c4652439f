#ifndef SPENDWISE_CPQ_SHIM_H
#define SPENDWISE_CPQ_SHIM_H

#include <libpq-fe.h>

/// Field codes of PQresultErrorField, which are characters.
static const int spendwise_pq_sqlstate = PG_DIAG_SQLSTATE;
static const int spendwise_pq_primary = PG_DIAG_MESSAGE_PRIMARY;
static const int spendwise_pq_table = PG_DIAG_TABLE_NAME;
static const int spendwise_pq_constraint = PG_DIAG_CONSTRAINT_NAME;

#endif
