import type { ManifestFile } from '../../api/manifest.js';
import type { StepReport } from '../../api/step-report.js';
import type { CutPart } from './packed/packed-report.js';
import { rankSteps } from './rank-steps.js';

/** Characters of all prompts, texts and data of a page, and as many for all diffs. */
const MOST_CHARACTERS = 24 * 1024 * 1024;
const LEAST_CHARACTERS = 4 * 1024 * 1024;
/** Characters of a step without its texts and diffs, for each of the two. */
const STEP_CHARACTERS = 210;
/** Longest prompt or text of one step. */
const LONGEST_TEXT = 256 * 1024;
/** Beginning of prompt and text that every step keeps, if the number of steps allows for it. */
const KEPT_BEGINNING = 300;
/** Files of all steps together that a page lists. */
export const PAGE_FILES = 200_000;

export interface BudgetedStep {
  readonly step: StepReport;
  readonly cut: readonly CutPart[];
}

/**
 * Shortens texts, diffs and lists of files so that a page of any batch stays small enough to open. Failed and slow
 * steps keep theirs first; the others keep the beginning of prompt and text.
 */
export function fitSteps(steps: readonly StepReport[]): ReadonlyMap<StepReport, BudgetedStep> {
  const fitted = new Map<StepReport, BudgetedStep>();
  // A browser needs a second for about 20 MB: many steps leave less room for texts.
  const room = Math.max(LEAST_CHARACTERS, MOST_CHARACTERS - steps.length * STEP_CHARACTERS);
  const kept = Math.min(KEPT_BEGINNING, Math.floor(room / 2 / Math.max(1, steps.length)));
  const left = { text: room, diff: room, files: PAGE_FILES };
  const takeText = (text: string | undefined): string | undefined => {
    if (text === undefined) return undefined;
    const longest = Math.max(kept, Math.min(LONGEST_TEXT, left.text));
    left.text -= Math.min(text.length, longest);
    return text.length <= longest ? text : text.slice(0, longest);
  };
  for (const step of rankSteps(steps)) {
    const cut: CutPart[] = [];
    const prompt = takeText(step.prompt);
    const text = takeText(step.text);
    if (prompt?.length !== step.prompt?.length) cut.push('prompt');
    if (text?.length !== step.text?.length) cut.push('text');
    const dataSize = step.data === undefined ? 0 : JSON.stringify(step.data).length;
    const hasData = dataSize <= Math.min(LONGEST_TEXT, left.text);
    if (hasData) left.text -= dataSize;
    else cut.push('data');
    const files = step.files.slice(0, Math.max(0, left.files));
    left.files -= files.length;
    if (files.length < step.files.length) cut.push('files');
    const fitting = files.map((file) => takeDiff(file, left));
    if (fitting.some((file, index) => file !== files[index])) cut.push('diffs');
    const isWhole = cut.length === 0;
    const data = hasData ? step.data : undefined;
    fitted.set(step, {
      step: isWhole ? step : { ...step, prompt, text, data, files: fitting },
      cut,
    });
  }
  return fitted;
}

/** Removes the diff if there is no more room for it: a part of a diff would look like the whole. */
function takeDiff(file: ManifestFile, left: { diff: number }): ManifestFile {
  const { diff, ...rest } = file;
  if (diff === undefined) return file;
  if (diff.length > left.diff) return rest;
  left.diff -= diff.length;
  return file;
}
