/* Internal to lem_mc: which chunks are whose when several ranks share them. Blocks of 2^level neighbouring
 * chunks, so that a block is one node of the merge tree, are dealt one to each rank in turn; at each turn the
 * first rank moves on by one, so that chunks whose cost repeats with their number, or grows with it, are
 * shared evenly. */
#ifndef LEM_STAT_DEAL_H
#define LEM_STAT_DEAL_H

#include <stddef.h>

enum { LEM_DEAL_BLOCKS = 32 }; /* at most, for each rank: a rank sends one node for each block */

typedef struct {
    size_t chunks, blocks;
    unsigned level; /* the smallest with at most LEM_DEAL_BLOCKS blocks for each rank; 0 for one rank */
    size_t ranks;
} lem_deal;

lem_deal lem_deal_chunks(size_t chunks, int ranks);

/* How many blocks and chunks a rank has, and its k-th block and chunk, both in ascending order. */
size_t lem_deal_blocks_of(const lem_deal *deal, int rank);
size_t lem_deal_chunks_of(const lem_deal *deal, int rank);
size_t lem_deal_block(const lem_deal *deal, int rank, size_t k);
size_t lem_deal_chunk(const lem_deal *deal, int rank, size_t k);

#endif
