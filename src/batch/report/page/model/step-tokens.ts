import type { BatchReport, StepReport } from '../../../../api/batch-report.js';
import type { TokenCounts } from '../../../../api/result.js';

export interface ModelTokens extends TokenCounts {
  readonly model: string;
}

const NO_TOKENS: TokenCounts = { total: 0, input: 0, output: 0, cached: 0 };

/** What a step cost with all its attempts, or as much of it as the report tells. */
export function tokensOfStep(step: StepReport): TokenCounts {
  const ofAttempts = step.attempts.reduce<TokenCounts>(
    (sum, { usage }) => (usage === undefined ? sum : addCounts(sum, usage)),
    NO_TOKENS,
  );
  return step.usage !== undefined && step.usage.total > ofAttempts.total ? step.usage : ofAttempts;
}

/** The same by model, the greatest first. */
export function modelsOfStep(step: StepReport): readonly ModelTokens[] {
  const ofAttempts = new Map<string, TokenCounts>();
  for (const { usage } of step.attempts) {
    for (const [model, counts] of Object.entries(usage?.models ?? {})) {
      ofAttempts.set(model, addCounts(ofAttempts.get(model) ?? NO_TOKENS, counts));
    }
  }
  const attempts = sortModels([...ofAttempts]);
  const whole = sortModels(Object.entries(step.usage?.models ?? {}));
  return sumTotals(whole) > sumTotals(attempts) ? whole : attempts;
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

function addCounts(one: TokenCounts, other: TokenCounts): TokenCounts {
  return {
    total: one.total + other.total,
    input: one.input + other.input,
    output: one.output + other.output,
    cached: one.cached + other.cached,
  };
}

/** Parts of a total that do not overlap; what is neither input nor output is thinking and tools. */
export interface TokenParts {
  readonly fresh: number;
  readonly cached: number;
  readonly output: number;
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
