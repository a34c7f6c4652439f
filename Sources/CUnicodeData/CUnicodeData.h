#ifndef SPENDWISE_CUNICODEDATA_H
#define SPENDWISE_CUNICODEDATA_H

/* Nothing to call: the target is linked for its data. */

#endif
