import type { BatchReport } from '../../../../api/batch-report.js';
import type { TokenCounts } from '../../../../api/result.js';
import type { AttemptReport, StepReport } from '../../../../api/step-report.js';
import { addTokenCounts, sumTokenCounts } from '../../../../base/usage/token-counts.js';

export interface ModelTokens extends TokenCounts {
  readonly model: string;
}

/** Returns the tokens of all attempts of a step, or the usage of the step itself if that is greater. */
export function tokensOfStep(step: StepReport): TokenCounts {
  const ofAttempts = sumTokenCounts(step.attempts.map(({ usage }) => usage));
  return step.usage !== undefined && step.usage.total > ofAttempts.total ? step.usage : ofAttempts;
}

/** Returns the tokens of a step by model, greatest first. */
export function modelsOfStep(step: StepReport): readonly ModelTokens[] {
  const ofAttempts = new Map<string, TokenCounts>();
  for (const { usage } of step.attempts) {
    for (const [model, counts] of Object.entries(usage?.models ?? {})) {
      ofAttempts.set(model, addTokenCounts(ofAttempts.get(model), counts));
    }
  }
  const attempts = sortModels([...ofAttempts]);
  const whole = sortModels(Object.entries(step.usage?.models ?? {}));
  return sumTotals(whole) > sumTotals(attempts) ? whole : attempts;
}

/**
 * Returns the models of an attempt: those whose tokens were counted, and the one that the attempt asked for. The CLI may
 * use another one.
 */
export function modelsOfAttempt({ model, usage }: AttemptReport): readonly string[] {
  const used = Object.keys(usage?.models ?? {});
  if (model === undefined || used.includes(model)) return used;
  return used.length === 0 ? [model] : [...used, `asked for ${model}`];
}

export function modelsOfBatch(report: BatchReport): readonly ModelTokens[] {
  return sortModels(Object.entries(report.usage.models));
}

function sortModels(models: readonly (readonly [string, TokenCounts])[]): readonly ModelTokens[] {
  return models
    .map(([model, counts]) => ({ model, ...counts }))
    .sort((one, other) => other.total - one.total);
}

function sumTotals(models: readonly ModelTokens[]): number {
  return models.reduce((sum, { total }) => sum + total, 0);
}

/** Parts of a total that do not overlap. */
export interface TokenParts {
  /** Input tokens that were not cached. */
  readonly fresh: number;
  readonly cached: number;
  readonly output: number;
  /** Tokens that are neither input nor output: thinking and tools. */
  readonly other: number;
}

export function splitTokens({ total, input, output, cached }: TokenCounts): TokenParts {
  return {
    fresh: Math.max(0, input - cached),
    cached,
    output,
    other: Math.max(0, total - input - output),
  };
}
