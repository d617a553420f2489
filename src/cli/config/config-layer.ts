import type { ConfigProblem } from '../../api/error.js';
import type { PlanProblem } from '../../api/plan-problem.js';
import type { ConfigValues } from '../../config/resolve-config.js';

/** Where a value of the configuration comes from. Absent for a flag, whose name the message already has. */
export interface ValueOrigin {
  /** Name that the user has written: `approval_mode`, `GEMINI_CLI_PROVIDER_MODEL`. */
  readonly name: string;
  readonly file?: string;
  readonly line?: number;
}

/** Settings from one place, under their camelCase names. */
export interface ConfigLayer {
  readonly values: ConfigValues;
  readonly origins: ReadonlyMap<string, ValueOrigin>;
}

export const EMPTY_LAYER: ConfigLayer = { values: {}, origins: new Map() };

/** Merges layers: the value of a later layer replaces that of an earlier one, together with its origin. */
export function mergeLayers(layers: readonly ConfigLayer[]): ConfigLayer {
  const values: Record<string, unknown> = {};
  const origins = new Map<string, ValueOrigin>();
  for (const layer of layers) {
    for (const [key, value] of Object.entries(layer.values)) {
      values[key] = value;
      const origin = layer.origins.get(key);
      if (origin === undefined) origins.delete(key);
      else origins.set(key, origin);
    }
  }
  return { values, origins };
}

/** Adds file and line to a problem, and the name that the user has written. */
export function locateProblem(
  problem: ConfigProblem,
  origins: ConfigLayer['origins'],
): ConfigProblem & Pick<PlanProblem, 'file' | 'line'> {
  const [key = '', ...inner] = problem.key.split('.');
  const origin = origins.get(key);
  if (origin === undefined) return problem;
  const { name, file, line } = origin;
  return {
    ...problem,
    key: [name, ...inner].join('.'),
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
  };
}
