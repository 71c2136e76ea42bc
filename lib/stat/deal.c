#include "stat/deal.h"

lem_deal lem_deal_chunks(size_t chunks, int ranks) {
    lem_deal deal = {.chunks = chunks, .blocks = chunks, .ranks = (size_t)ranks};
    while (ranks > 1 && deal.blocks > LEM_DEAL_BLOCKS * deal.ranks) {
        deal.level++;
        deal.blocks = ((chunks - 1) >> deal.level) + 1;
    }
    return deal;
}

/* The place of a rank in a turn. */
static size_t place(const lem_deal *deal, int rank, size_t turn) {
    return ((size_t)rank + deal->ranks - turn % deal->ranks) % deal->ranks;
}

size_t lem_deal_blocks_of(const lem_deal *deal, int rank) {
    size_t turns = deal->blocks / deal->ranks, rest = deal->blocks % deal->ranks;
    return turns + (place(deal, rank, turns) < rest);
}

size_t lem_deal_block(const lem_deal *deal, int rank, size_t k) {
    return k * deal->ranks + place(deal, rank, k);
}

size_t lem_deal_chunks_of(const lem_deal *deal, int rank) {
    size_t blocks = lem_deal_blocks_of(deal, rank), size = (size_t)1 << deal->level;
    size_t lacking = (deal->blocks << deal->level) - deal->chunks; /* of the last block */
    if (blocks == 0)
        return 0;
    return blocks * size - (lem_deal_block(deal, rank, blocks - 1) == deal->blocks - 1 ? lacking : 0);
}

size_t lem_deal_chunk(const lem_deal *deal, int rank, size_t k) {
    size_t size = (size_t)1 << deal->level;
    return (lem_deal_block(deal, rank, k >> deal->level) << deal->level) + (k & (size - 1));
}
