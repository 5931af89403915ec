#include "papers/machine/hazard.h"

enum { SEVERAL = -1 };

static bool is_open(const hazard_use *before, const hazard_use *now)
{
    if (before->run != now->run) return false;
    if (before->block != now->block) return true;
    return before->barrier == now->barrier && before->warp != now->warp;
}

bool hazard_read(hazard_cell *cell, const hazard_use *use)
{
    hazard_use *last = &cell->read;
    const bool beside = is_open(last, use);
    const bool other_block = beside && last->block != use->block;
    *last = *use;
    if (beside) last->warp = (uint32_t)SEVERAL;
    if (other_block) last->block = (uint32_t)SEVERAL;
    return is_open(&cell->write, use);
}

bool hazard_write(hazard_cell *cell, const hazard_use *use, bool changes)
{
    const bool hazard = is_open(&cell->read, use) || (changes && is_open(&cell->write, use));
    cell->write = *use;
    return hazard;
}
