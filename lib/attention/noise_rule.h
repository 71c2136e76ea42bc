/* Internal: a law of noise as nodes and weights in log W, good for E W^k e^(-zW), k = 0, 1, 2, at every z
 * that exact moments of noisy attention need. */
#ifndef LEM_ATTENTION_NOISE_RULE_H
#define LEM_ATTENTION_NOISE_RULE_H

#include "attention/noise.h"

/* GSL_EDOM or GSL_EINVAL with the parameter named. */
int lem_check_noise(lem_noise noise);

/* log W = log_w[j] with weight[j], ascending; W scaled to mean 1 where the mean exists. W = 0 with
 * probability `none`, which has no node. Below log z = lowest the three means have reached their limits for z
 * to zero (or what is below is nothing beside the rest); above highest e^(-zW) is 0 for every node. */
typedef struct {
    size_t count;
    double *log_w, *weight;
    double none, lowest, highest;
} lem_noise_rule;

/* Gaussian sigma <= 8, uniform h <= 20, Laplace b <= 2, dropout r < 1; GSL_EDOM beyond, or for Student and
 * Cauchy noise. GSL_ENOMEM. */
int lem_noise_rule_init(lem_noise noise, lem_noise_rule *rule);
void lem_noise_rule_free(lem_noise_rule *rule);

#endif
