import type { BatchReport } from '../../api/batch-report.js';
import type { ProviderErrorData } from '../../api/error.js';
import type { StepReport } from '../../api/step-report.js';
import { createFileReferences } from './packed/file-references.js';
import { packFile, packStep } from './packed/pack-step.js';
import { fitSteps, PAGE_FILES } from './page-budget.js';
import type { Transcript } from './transcript/transcript.js';

/** What a page shows beside the report. */
export interface PageExtras {
  /** Time at which the page is written. Default: now. */
  readonly writtenAt?: string | undefined;
  /** Transcripts by the id of the step. */
  readonly transcripts?: ReadonlyMap<string, Transcript> | undefined;
}

/**
 * Yields the data of the page as JSON for a script element, in pieces, because a large batch has more text than one
 * string can hold. `<` is escaped, so that no text can close the element or open a comment.
 */
export function* serializePage(report: BatchReport, extras: PageExtras = {}): Generator<string> {
  const { writtenAt = new Date().toISOString(), transcripts } = extras;
  const { steps, files, ...rest } = report;
  const origin = { startMs: Date.parse(report.startedAt), root: findRoot(report) };
  const filesLeftOut = Math.max(0, files.length - PAGE_FILES);
  const head = JSON.stringify({ writtenAt, report: rest, root: origin.root, filesLeftOut });
  yield escapeMarkup(`${head.slice(0, -1)},"steps":[`);
  const fitted = fitSteps(steps);
  yield* list(steps, (whole) => {
    const { step, cut } = fitted.get(whole) ?? { step: whole, cut: [] };
    return JSON.stringify(packStep(withoutRepetition(step), origin, cut));
  });
  yield '],"files":[';
  const findReference = createFileReferences(
    steps.map((whole) => fitted.get(whole)?.step ?? whole),
  );
  yield* list(files.slice(0, PAGE_FILES), (file) => {
    return JSON.stringify(findReference(file) ?? packFile(file, origin));
  });
  yield '],"transcripts":{';
  const told = steps.flatMap(({ id }, index) => {
    const transcript = transcripts?.get(id);
    return transcript === undefined ? [] : [{ index, transcript }];
  });
  yield* list(told, ({ index, transcript }) => {
    return `"${index}":${JSON.stringify(shortenPaths(transcript, origin.root))}`;
  });
  yield '}}';
}

/** Joins short pieces, because each piece is a write of its own. */
const PIECE_CHARACTERS = 256 * 1024;

function* list<T>(items: readonly T[], toJson: (item: T) => string): Generator<string> {
  let piece = '';
  for (const [index, item] of items.entries()) {
    piece += `${index === 0 ? '' : ','}${escapeMarkup(toJson(item))}`;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

function escapeMarkup(json: string): string {
  return json
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

/** Returns the folder to which most paths are relative, with a slash at its end; empty if there is no file. */
function findRoot({ files }: BatchReport): string {
  const first = files.find(({ path, absolutePath }) => absolutePath.endsWith(`/${path}`));
  return first === undefined ? '' : first.absolutePath.slice(0, -first.path.length);
}

/** Makes paths of tool calls relative to the folder of the files, as all other paths of the page are. */
function shortenPaths({ entries, isCut }: Transcript, root: string): Transcript {
  if (root === '') return { entries, isCut };
  const shortened = entries.map((entry) => {
    if (entry.kind !== 'tool' || !entry.summary.startsWith(root)) return entry;
    return { ...entry, summary: entry.summary.slice(root.length) };
  });
  return { entries: shortened, isCut };
}

/** Removes text and files from the error if the step has its own: the page shows them once. */
function withoutRepetition(step: StepReport): StepReport {
  const partial = step.error?.partial;
  if (step.error === undefined || partial === undefined) return step;
  const error: ProviderErrorData = {
    ...step.error,
    partial: {
      ...partial,
      text: step.text === undefined ? partial.text : '',
      files: step.files.length === 0 ? partial.files : [],
    },
  };
  return { ...step, error };
}
