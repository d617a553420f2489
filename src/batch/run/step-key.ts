import { relative } from 'node:path';
import type { PlannedStep } from '../../api/batch-plan.js';
import { digestJson } from '../../base/json/digest-json.js';
import type { StepResult } from '../ledger/ledger-entry.js';
import { describeSchema } from '../plan/describe-schema.js';

/** They say how a step is run here and now, not what it does. */
const OF_THE_MACHINE = new Set(['env', 'cliPath', 'compileCache', 'pool', 'logger']);

/** A result may be needed by thousands. */
const digests = new WeakMap<StepResult, string>();

export interface StepKeyInputs {
  readonly baseDir: string;
  /** What holds for all steps that do not say otherwise, from outside of the plan. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
}

/** What a step with the same key would do again: its prompt, its configuration, and what it was given by others. */
export function keyOfStep(
  step: PlannedStep,
  prompt: string,
  { baseDir, config: given = {} }: StepKeyInputs,
  needed: readonly StepResult[],
): string {
  const { workingDir, ...own } = step.config;
  const outside = Object.entries(given).filter(([key]) => !OF_THE_MACHINE.has(key));
  return digestJson(
    {
      prompt,
      config: { ...Object.fromEntries(outside), ...own },
      // The same plan in another place is the same plan.
      workingDir: relative(baseDir, String(workingDir)),
      expects: step.expects,
      repair: step.repair,
      needed: needed.map(digestOf),
    },
    describeSchema,
  );
}

function digestOf(result: StepResult): string {
  const { text, data, files } = result;
  const written = files.map(({ path, sha256After }) => [path, sha256After ?? null]);
  const digest = digests.get(result) ?? digestJson({ text, data, files: written }, describeSchema);
  digests.set(result, digest);
  return digest;
}
