#include "walk/gbm_pair.h"

lem_gbm_pair lem_gbm_pair_join(lem_gbm_pair a, lem_gbm_pair b) {
    const double pa = 1 + a.c1, pb = 1 + b.c1, qa = pa + a.r; /* means of C and F */
    const double vfa = a.vc + 2 * a.crc + a.vr;               /* Var F */
    return (lem_gbm_pair){
        .c1 = a.c1 + b.c1 + a.c1 * b.c1,
        .r = qa * b.r + a.r * pb,
        .vc = a.vc * b.vc + pa * pa * b.vc + pb * pb * a.vc,
        .vr = vfa * (b.vr + b.r * b.r) + qa * qa * b.vr + a.vr * (b.vc + pb * pb) + a.r * a.r * b.vc +
              2 * (qa * a.r * b.crc + (a.crc + a.vr) * (b.r * pb + b.crc)),
        .crc = pa * qa * b.crc + (a.vc + a.crc) * (pb * b.r + b.crc) + pa * a.r * b.vc +
               a.crc * (pb * pb + b.vc),
    };
}

lem_gbm_pair lem_gbm_pair_power(lem_gbm_pair one, uint64_t n) {
    lem_gbm_pair power = {0};
    for (; n > 0; n >>= 1) {
        if (n & 1)
            power = lem_gbm_pair_join(power, one);
        if (n > 1)
            one = lem_gbm_pair_join(one, one);
    }
    return power;
}
