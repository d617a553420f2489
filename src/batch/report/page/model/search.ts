import type { BatchFile } from '../../../../api/batch-report.js';
import type { StepReport } from '../../../../api/step-report.js';
import type { PageModel } from './page-model.js';

export interface SearchIndex {
  /** Returns the steps that contain every word of the query; all steps if the query is empty. */
  findSteps(query: string): readonly StepReport[];
  /** Returns the files whose path contains every word of the query; all files if the query is empty. */
  findFiles(query: string): readonly BatchFile[];
}

export function createSearchIndex({ report, files }: PageModel): SearchIndex {
  // The first search builds the lower-case texts, so that a large report opens without this cost.
  let steps: readonly string[] | undefined;
  let paths: readonly string[] | undefined;
  return {
    findSteps: (query) => {
      const words = toWords(query);
      if (words.length === 0) return report.steps;
      steps ??= report.steps.map((step) => searchableText(step).toLowerCase());
      return filterBy(report.steps, steps, words);
    },
    findFiles: (query) => {
      const words = toWords(query);
      if (words.length === 0) return files;
      paths ??= files.map(({ path }) => path.toLowerCase());
      return filterBy(files, paths, words);
    },
  };
}

function searchableText({ id, prompt, text, error, files }: StepReport): string {
  return [id, prompt, text ?? error?.partial?.text, ...files.map(({ path }) => path)].join('\n');
}

function filterBy<T>(
  values: readonly T[],
  texts: readonly string[],
  words: readonly string[],
): readonly T[] {
  return values.filter((_, index) => {
    const text = texts[index] ?? '';
    return words.every((word) => text.includes(word));
  });
}

function toWords(query: string): readonly string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

/** Part of a text: a match of the query, or the text between two matches. */
export interface TextPart {
  readonly text: string;
  readonly isMatch: boolean;
}

/** Splits a text at the words of the query. */
export function splitAtMatches(text: string, query: string): readonly TextPart[] {
  const words = toWords(query).toSorted((one, other) => other.length - one.length);
  if (words.length === 0) return [{ text, isMatch: false }];
  return text
    .split(new RegExp(`(${words.map(escapePattern).join('|')})`, 'iu'))
    .map((part, index) => ({ text: part, isMatch: index % 2 === 1 }))
    .filter((part) => part.text !== '');
}

const CHARACTERS_BEFORE = 40;
const SNIPPET_CHARACTERS = 200;

/**
 * Returns the text around the first query word that the id does not contain; without such a word, the start of the
 * prompt.
 */
export function findSnippet({ id, prompt, text, files }: StepReport, query: string): string {
  const lowerId = id.toLowerCase();
  const elsewhere = toWords(query).filter((word) => !lowerId.includes(word));
  const pattern =
    elsewhere[0] === undefined ? undefined : new RegExp(escapePattern(elsewhere[0]), 'iu');
  if (pattern === undefined) return shorten(prompt ?? text ?? '', 0);
  for (const source of [prompt, text, ...files.map(({ path }) => path)]) {
    const at = source?.search(pattern) ?? -1;
    if (source === undefined || at === -1) continue;
    return shorten(source, Math.max(0, at - CHARACTERS_BEFORE));
  }
  return '';
}

function shorten(text: string, start: number): string {
  const cut = text
    .slice(start, start + SNIPPET_CHARACTERS)
    .replace(/\s+/g, ' ')
    .trim();
  return start === 0 ? cut : `…${cut}`;
}

function escapePattern(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
