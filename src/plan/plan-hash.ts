import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import type { BatchLimits, PlannedStep } from '../contract/batch-plan.js';
import { toSlashes } from '../workspace/paths.js';
import { canonicalJson } from './canonical-json.js';
import { describeSchema } from './describe-schema.js';

export interface HashedStep {
  readonly step: PlannedStep;
  /** As the plan has them: which files they match is the business of the steps, which may well create some. */
  readonly inputs: readonly string[];
}

/** The same for the same plan on every machine. */
export function hashPlan(
  baseDir: string,
  limits: BatchLimits,
  steps: readonly HashedStep[],
): string {
  const hash = createHash('sha256');
  const digests = new Map<unknown, string>();
  // Steps of a matrix share these, and a list of needs can be as long as the plan.
  const digest = (shared: unknown, content: () => unknown = () => shared): string => {
    const known = digests.get(shared) ?? sha256(toText(content()));
    digests.set(shared, known);
    return known;
  };
  hash.update(toText(limits));
  for (const { step, inputs } of steps) {
    const { id, planId, prompt, needs, retries, expects, repair, isolation, config } = step;
    const relativeConfig = () => {
      const workingDir = toSlashes(relative(baseDir, String(config['workingDir'])));
      return { ...config, workingDir };
    };
    hash.update(
      toText({
        id,
        planId,
        prompt,
        needs: digest(needs),
        retries,
        expects: expects && digest(expects),
        repair,
        isolation,
        inputs,
        config: digest(config, relativeConfig),
      }),
    );
  }
  return hash.digest('hex');
}

function toText(value: unknown): string {
  return canonicalJson(value, describeSchema);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
