import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import type { BatchLimits } from '../../api/batch-limits.js';
import type { PlannedStep } from '../../api/batch-plan.js';
import { toSlashes } from '../../base/fs/paths.js';
import { canonicalJson } from '../../base/json/canonical-json.js';
import { digestJson } from '../../base/json/digest-json.js';
import { describeSchema } from './describe-schema.js';

export interface HashedStep {
  readonly step: PlannedStep;
  /** Globs as the plan has them. The matching files are no part of the hash, because steps may create some. */
  readonly inputs: readonly string[];
}

/** Hashes an expanded plan. The hash does not depend on the machine: paths are relative to `baseDir`. */
export function hashPlan(
  baseDir: string,
  limits: BatchLimits,
  steps: readonly HashedStep[],
): string {
  const hash = createHash('sha256');
  const digests = new Map<unknown, string>();
  // Steps of a matrix share `needs`, `expects` and `config`. Each is hashed once: `needs` can be as long as the plan.
  const digest = (shared: unknown, content: () => unknown = () => shared): string => {
    const known = digests.get(shared) ?? digestJson(content(), describeSchema);
    digests.set(shared, known);
    return known;
  };
  hash.update(canonicalJson(limits, describeSchema));
  for (const { step, inputs } of steps) {
    const { id, planId, prompt, needs, retries, expects, repair, isolation, config } = step;
    const { when, continueOnError, fallbackModels, commit } = step;
    const relativeConfig = () => {
      const workingDir = toSlashes(relative(baseDir, String(config['workingDir'])));
      return { ...config, workingDir };
    };
    hash.update(
      canonicalJson(
        {
          id,
          planId,
          prompt,
          needs: digest(needs),
          retries,
          expects: expects && digest(expects),
          repair,
          isolation,
          when,
          continueOnError,
          fallbackModels,
          commit,
          inputs,
          config: digest(config, relativeConfig),
        },
        describeSchema,
      ),
    );
  }
  return hash.digest('hex');
}
