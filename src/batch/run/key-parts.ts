import type { PlannedStep } from '../../api/batch-plan.js';
import type { StepState } from '../../api/step-report.js';
import { digestJson } from '../../base/json/digest-json.js';
import type { KeyParts, StepResult } from '../ledger/ledger-entry.js';
import { describeSchema } from '../plan/describe-schema.js';
import { configOfKey, digestOf, type StepKeyInputs } from './step-key.js';

/** Length of a digest in the ledger: each attempt has one digest for each key of its configuration. */
const DIGEST_CHARACTERS = 12;

export type PartsOf = (step: PlannedStep, needed: readonly (StepResult | StepState)[]) => KeyParts;

/**
 * Creates a function that hashes the parts of a step's key one by one, so that a later run can name the part that has
 * changed. The prompt counts as the plan has it: a result that is filled in belongs to the needs.
 */
export function createPartsOf(inputs: StepKeyInputs): PartsOf {
  // Steps of a matrix share `config` and `expects`.
  const known = new WeakMap<object, { expects: unknown; repair: number; digests: Digests }>();
  const configOf = (step: PlannedStep): Digests => {
    const { config, expects, repair } = step;
    const earlier = known.get(config);
    if (earlier?.expects === expects && earlier?.repair === repair) return earlier.digests;
    const { config: values, ...others } = configOfKey(step, inputs);
    const digests = Object.fromEntries(
      Object.entries({ ...values, ...others })
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => [key, shortDigest(value)]),
    );
    known.set(config, { expects, repair, digests });
    return digests;
  };
  return (step, needed) => ({
    prompt: shortDigest(step.prompt),
    config: configOf(step),
    needs: shortDigest(needed.map(digestOf)),
  });
}

type Digests = Readonly<Record<string, string>>;

function shortDigest(value: unknown): string {
  return digestJson(value, describeSchema).slice(0, DIGEST_CHARACTERS);
}
