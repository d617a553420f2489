import type { RunOutput, RunWarning, TokenCounts, Usage } from '../contract/result.js';
import type { Manifest } from '../manifest/build-manifest.js';
import type { SettledTurn } from './settle-turn.js';

/** What is the same for all turns of a step. */
export type StepFacts = Pick<
  RunOutput,
  'sessionId' | 'model' | 'transport' | 'cliVersion' | 'durationMs'
> & {
  /** Of the whole step. */
  readonly manifest: Manifest;
  /** What was known before anything was said, or is about the workspace as a whole. */
  readonly warnings: readonly RunWarning[];
};

/** Everything that a step has produced, in however many turns. */
export function combineTurns(
  turns: readonly SettledTurn[],
  { manifest, warnings, ...facts }: StepFacts,
): RunOutput {
  return {
    // Answers to two prompts are two paragraphs.
    text: turns
      .map(({ text }) => text)
      .filter((text) => text !== '')
      .join('\n\n'),
    files: manifest.files,
    deniedTools: turns.flatMap(({ deniedTools }) => deniedTools),
    warnings: [...warnings, ...collectWarnings(turns), ...manifest.warnings],
    usage: turns.map(({ usage }) => usage).reduce(addUsage, undefined),
    ...facts,
    recovered: turns.some(({ recovered }) => recovered),
    repairs: turns.length - 1,
  };
}

/** A process for each turn says the same each time. */
function collectWarnings([first, ...later]: readonly SettledTurn[]): RunWarning[] {
  const all = [...(first?.warnings ?? [])];
  for (const warning of later.flatMap(({ warnings }) => warnings)) {
    const isKnown = all.some(({ code, message }) => {
      return code === warning.code && message === warning.message;
    });
    if (!isKnown) all.push(warning);
  }
  return all;
}

function addUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const models: Record<string, TokenCounts> = { ...a.models };
  for (const [name, tokens] of Object.entries(b.models)) {
    const known = models[name];
    models[name] = known === undefined ? tokens : addTokens(known, tokens);
  }
  return { ...addTokens(a, b), models, toolCalls: a.toolCalls + b.toolCalls };
}

function addTokens(a: TokenCounts, b: TokenCounts): TokenCounts {
  return {
    total: a.total + b.total,
    input: a.input + b.input,
    output: a.output + b.output,
    cached: a.cached + b.cached,
  };
}
