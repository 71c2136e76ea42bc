/* y^c, c = gamma/(1 + gamma), for any y > 0: the rounding of c, which a large or small y would magnify, is
 * made good. Hence y^(1/(1 + gamma)) = y/y^c too. A few epsilons. Internal. */
#ifndef LEM_SCALING_SHARE_POWER_H
#define LEM_SCALING_SHARE_POWER_H

double lem_share_power(double y, double gamma);

#endif
