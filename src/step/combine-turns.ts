import type { EvaluatedTurn } from '../agents/evaluate-turn.js';
import type { StepOutput, StepWarning } from '../api/result.js';
import { sumUsage } from '../base/usage/add-usage.js';
import type { Manifest } from './manifest/build-manifest.js';

/** What is the same for all turns of a step. */
export type StepFacts = Pick<
  StepOutput,
  'generationId' | 'sessionId' | 'model' | 'transport' | 'cliVersion' | 'durationMs'
> & {
  /** Of the whole step. */
  readonly manifest: Manifest;
  /** What was known before anything was said, or is about the workspace as a whole. */
  readonly warnings: readonly StepWarning[];
};

/** Everything that a step has produced, in however many turns. */
export function combineTurns(
  turns: readonly EvaluatedTurn[],
  { manifest, warnings, ...facts }: StepFacts,
): StepOutput {
  return {
    // Answers to two prompts are two paragraphs.
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

/** A process for each turn says the same each time. */
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
