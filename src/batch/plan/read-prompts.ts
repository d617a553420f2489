import { resolve } from 'node:path';
import type { PlanPath } from './plan-source.js';
import type { ProblemList } from './problem-list.js';
import type { GivenStep } from './read-steps.js';
import { readTextFile } from './read-text-file.js';
import { parseTemplate, type TemplatePart } from './template.js';

/** Longest prompt file in bytes. The CLI truncates its stdin at this size. */
const MOST_BYTES = 8 * 1024 * 1024;
const UNSENDABLE = /\0|\p{Surrogate}/u;

export interface StepPrompt {
  readonly parts: readonly TemplatePart[];
  /** Absolute path of the prompt file. */
  readonly file?: string | undefined;
}

export type ReadPrompt = (step: GivenStep) => StepPrompt;

/** Creates a reader of prompts. Each prompt file is read and parsed once. */
export function createPromptReader(baseDir: string, problems: ProblemList): ReadPrompt {
  const files = new Map<string, ReturnType<typeof readPromptFile>>();
  return ({ at, prompt, promptFile }) => {
    if (prompt !== undefined) {
      reportUnsendable(prompt, [...at, 'prompt'], problems);
      return { parts: parseTemplate(prompt) };
    }
    if (promptFile === undefined) return { parts: [] };
    const file = resolve(baseDir, promptFile);
    const read = files.get(file) ?? readPromptFile(file);
    files.set(file, read);
    if (read.problem !== undefined) problems.add([...at, 'promptFile'], promptFile, read.problem);
    else reportUnsendable(read.text, [...at, 'promptFile'], problems);
    return { parts: read.parts, file };
  };
}

function readPromptFile(path: string) {
  const read = readTextFile(path, MOST_BYTES);
  if ('problem' in read) return { text: '', parts: [], problem: read.problem };
  const problem = read.text.trim() === '' ? 'is empty' : undefined;
  return { text: read.text, parts: parseTemplate(read.text), problem };
}

function reportUnsendable(text: string, at: PlanPath, problems: ProblemList): void {
  const position = text.search(UNSENDABLE);
  if (position === -1) return;
  const problem = `has a NUL character or half of a surrogate pair at position ${position}, which cannot be sent`;
  problems.add(at, text.charAt(position), problem);
}
