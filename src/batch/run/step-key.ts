import { relative } from 'node:path';
import type { PlannedStep } from '../../api/batch-plan.js';
import type { ProviderConfig } from '../../api/provider-config.js';
import type { StepState } from '../../api/step-report.js';
import { digestJson } from '../../base/json/digest-json.js';
import { parseDuration } from '../../base/text/parse-duration.js';
import type { StepResult } from '../ledger/ledger-entry.js';
import { describeSchema } from '../plan/describe-schema.js';

/** Configuration keys that describe the machine or money, not the work of a step. They do not change its key. */
const MACHINE_KEYS = new Set([
  'env',
  'cliPath',
  'compileCache',
  'processIsolation',
  'pool',
  'logger',
  'maxCost',
  'prices',
]);

/** Keys with durations: `5m` and `300` mean the same. */
const DURATION_KEYS = ['timeout', 'idleTimeout', 'startTimeout', 'permissionTimeout'];

/** Cached digests: thousands of steps may need the same result. */
const digests = new WeakMap<StepResult, string>();

export interface StepKeyInputs {
  readonly baseDir: string;
  /** Configuration from outside of the plan, for all steps that do not set the same key. */
  readonly config?: ProviderConfig | undefined;
}

/** Hashes everything that decides what a step does: prompt, configuration and the results it needs. */
export function keyOfStep(
  step: PlannedStep,
  prompt: string,
  inputs: StepKeyInputs,
  needed: readonly (StepResult | StepState)[],
): string {
  return digestJson(
    { prompt, ...configOfKey(step, inputs), needed: needed.map(digestOf) },
    describeSchema,
  );
}

/** Returns the configuration that is part of the key of a step. */
export function configOfKey(step: PlannedStep, { baseDir, config: given = {} }: StepKeyInputs) {
  const { workingDir, ...own } = step.config;
  const outside = Object.entries(given).filter(([key]) => !MACHINE_KEYS.has(key));
  const config = withSeconds({ ...Object.fromEntries(outside), ...withoutMoney(own) });
  return {
    config,
    // The path is relative, so that the same plan in another folder has the same keys.
    workingDir: relative(baseDir, String(workingDir)),
    expects: step.expects,
    repair: step.repair,
  };
}

/** Leaves out prices and the limit of repairs: a result stays valid if a price changes. */
function withoutMoney({
  maxCost: _,
  prices: __,
  ...config
}: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return config;
}

function withSeconds(config: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const texts = DURATION_KEYS.flatMap((key) => {
    const value = config[key];
    return typeof value === 'string' ? [[key, parseDuration(value) ?? value] as const] : [];
  });
  return { ...config, ...Object.fromEntries(texts) };
}

/** A need without a result counts by its state. */
export function digestOf(result: StepResult | StepState): string {
  if (typeof result === 'string') return result;
  const { text, data, files } = result;
  const written = files.map(({ path, sha256After }) => [path, sha256After ?? null]);
  const digest = digests.get(result) ?? digestJson({ text, data, files: written }, describeSchema);
  digests.set(result, digest);
  return digest;
}
