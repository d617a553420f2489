import type { EvaluatedTurn } from '../agents/evaluate-turn.js';
import type { StepOutput, StepWarning } from '../api/result.js';
import { sumUsage } from '../base/usage/add-usage.js';
import type { Manifest } from './manifest/build-manifest.js';

/** Facts about the whole step, the same for all its turns. */
export type StepFacts = Pick<
  StepOutput,
  'generationId' | 'sessionId' | 'model' | 'transport' | 'cliVersion' | 'durationMs'
> & {
  readonly manifest: Manifest;
  /** Warnings from before the first turn, and warnings about the workspace as a whole. */
  readonly warnings: readonly StepWarning[];
};

/** Combines the turns of a step into its output. */
export function combineTurns(
  turns: readonly EvaluatedTurn[],
  { manifest, warnings, ...facts }: StepFacts,
): StepOutput {
  return {
    // A blank line separates the answers of two turns.
    text: turns
      .map(({ text }) => text)
      .filter((text) => text !== '')
      .join('\n\n'),
    files: manifest.files,
    deniedTools: turns.flatMap(({ deniedTools }) => deniedTools),
    warnings: [...warnings, ...collectWarnings(turns), ...manifest.warnings],
    usage: sumUsage(turns.map(({ usage }) => usage)),
    ...facts,
    recovered: turns.some(({ recovered }) => recovered),
    repairs: turns.length - 1,
  };
}

/** Collects the warnings of all turns without repetitions: each turn may have a process that warns of the same. */
function collectWarnings([first, ...later]: readonly EvaluatedTurn[]): StepWarning[] {
  const all = [...(first?.warnings ?? [])];
  for (const warning of later.flatMap(({ warnings }) => warnings)) {
    const isKnown = all.some(({ code, message }) => {
      return code === warning.code && message === warning.message;
    });
    if (!isKnown) all.push(warning);
  }
  return all;
}
