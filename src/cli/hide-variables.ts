import type { ExpandedPlan } from '../api/batch-plan.js';

/** Values of `env` may be secrets, and what is printed ends up in logs. */
export function hideVariables(plan: ExpandedPlan): ExpandedPlan {
  const steps = plan.steps.map((step) => {
    const { env } = step.config;
    if (typeof env !== 'object' || env === null) return step;
    const hidden = Object.fromEntries(Object.keys(env).map((name) => [name, '(hidden)']));
    return { ...step, config: { ...step.config, env: hidden } };
  });
  return { ...plan, steps };
}
