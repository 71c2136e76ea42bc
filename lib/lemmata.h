/* lemmata: the mathematics of attention, random projection, scaling laws and path integrals, machine-checked.
 */
#ifndef LEMMATA_H
#define LEMMATA_H

#include "base/error.h"
#include "base/version.h"
#include "linalg/linalg.h"
#include "projection/angle.h"
#include "projection/cosine.h"
#include "projection/entropy.h"
#include "projection/families.h"
#include "projection/fwht.h"
#include "projection/haar.h"
#include "projection/inner.h"
#include "projection/kind.h"
#include "projection/min_dim.h"
#include "projection/norm_tail.h"
#include "projection/project.h"
#include "projection/rsvd.h"
#include "projection/rsvd_bound.h"
#include "projection/sample.h"
#include "projection/simhash.h"
#include "projection/simhash_bits.h"
#include "rng/gsl_adaptor.h"
#include "rng/haar.h"
#include "rng/stream.h"
#include "stat/distribution.h"
#include "stat/gof.h"
#include "stat/interval.h"
#include "stat/mc.h"
#include "stat/moments.h"

#endif
