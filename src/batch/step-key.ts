import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import type { PlannedStep } from '../contract/batch-plan.js';
import type { StepResult } from '../ledger/ledger-entry.js';
import { canonicalJson } from '../plan/canonical-json.js';
import { describeSchema } from '../plan/describe-schema.js';

/** What a step with the same key would do again: its prompt, its configuration, and what it was given by others. */
export function keyOfStep(
  step: PlannedStep,
  prompt: string,
  baseDir: string,
  needed: readonly StepResult[],
): string {
  const { workingDir, ...config } = step.config;
  const parts = {
    prompt,
    config,
    // The same plan in another place is the same plan.
    workingDir: relative(baseDir, String(workingDir)),
    expects: step.expects,
    repair: step.repair,
    needed: needed.map(describeResult),
  };
  const text = canonicalJson(parts, describeSchema);
  return createHash('sha256').update(text).digest('hex');
}

function describeResult({ text, data, files }: StepResult): unknown {
  return { text, data, files: files.map(({ path, sha256After }) => [path, sha256After ?? null]) };
}
