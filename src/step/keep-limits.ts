import type { ConfigValues } from '../config/resolve-config.js';

/**
 * Adds what the configuration of a provider forbids to the options of a step that another party has chosen: options of a call
 * replace those of the configuration, and would take its denials away.
 */
export function keepLimits(own: ConfigValues, options: ConfigValues): ConfigValues {
  const { deniedTools, protectedPaths, maxCost } = options;
  return {
    ...options,
    ...(deniedTools !== undefined && { deniedTools: join(own['deniedTools'], deniedTools) }),
    ...(Array.isArray(protectedPaths) && {
      protectedPaths: join(own['protectedPaths'], protectedPaths),
    }),
    ...(typeof maxCost === 'number' && { maxCost: lower(own['maxCost'], maxCost) }),
  };
}

/** Joins two lists. What is no list is left to the check of the options. */
function join(first: unknown, second: unknown): unknown {
  return Array.isArray(first) && Array.isArray(second) ? [...first, ...second] : second;
}

function lower(first: unknown, second: number): number {
  return typeof first === 'number' ? Math.min(first, second) : second;
}
