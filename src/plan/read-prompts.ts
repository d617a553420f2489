import { resolve } from 'node:path';
import type { ProblemList } from './problem-list.js';
import type { GivenStep } from './read-steps.js';
import { readTextFile } from './read-text-file.js';
import { parseTemplate, type TemplatePart } from './template.js';

/** The CLI cuts what it reads from stdin at this size. */
const MOST_BYTES = 8 * 1024 * 1024;
const UNSENDABLE = /\0|\p{Surrogate}/u;

export interface StepPrompt {
  readonly parts: readonly TemplatePart[];
  /** Absolute. */
  readonly file?: string | undefined;
}

export type ReadPrompt = (step: GivenStep) => StepPrompt;

/** Takes prompts in; each file is read and taken apart once. */
export function createPromptReader(baseDir: string, problems: ProblemList): ReadPrompt {
  const files = new Map<string, ReturnType<typeof readPromptFile>>();
  return ({ at, prompt, promptFile }) => {
    if (prompt !== undefined) {
      const problem = findUnsendable(prompt);
      if (problem !== undefined) problems.add([...at, 'prompt'], prompt, problem);
      return { parts: parseTemplate(prompt) };
    }
    if (promptFile === undefined) return { parts: [] };
    const file = resolve(baseDir, promptFile);
    const read = files.get(file) ?? readPromptFile(file);
    files.set(file, read);
    if (read.problem !== undefined) problems.add([...at, 'promptFile'], promptFile, read.problem);
    return { parts: read.parts, file };
  };
}

function readPromptFile(path: string) {
  const read = readTextFile(path, MOST_BYTES);
  if ('problem' in read) return { parts: [], problem: read.problem };
  const problem = read.text.trim() === '' ? 'is empty' : findUnsendable(read.text);
  return { parts: parseTemplate(read.text), problem };
}

function findUnsendable(text: string): string | undefined {
  return UNSENDABLE.test(text)
    ? 'has a NUL or half of a surrogate pair in it, which cannot be sent'
    : undefined;
}
