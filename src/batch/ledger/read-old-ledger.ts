import { z } from 'zod';
import { parseJsonLine } from '../../base/ndjson/parse-json-line.js';
import { type LedgerEntry, parseLedgerEntry } from './ledger-entry.js';
import { readLines } from './read-ledger.js';

const text = z.string();
const list = z.array(z.looseObject({}));
const files = z.array(
  z.looseObject({
    path: text,
    absolutePath: text,
    kind: z.enum(['created', 'modified', 'deleted', 'unchanged']),
    tools: z.array(text),
    toolIds: z.array(text),
    bytes: z.number(),
    sha256Before: text.optional(),
    sha256After: text.optional(),
    diff: text.optional(),
  }),
);
const counts = z.looseObject({
  total: z.number(),
  input: z.number(),
  output: z.number(),
  cached: z.number(),
});
const partial = z.looseObject({
  text: text.optional(),
  files: files.optional(),
  deniedTools: list.optional(),
  warnings: list.optional(),
});
const missing = z.array(z.looseObject({ kind: text, paths: z.array(text).optional() }));

/** Values that signed entries are trusted to have, because this package wrote them. Nothing is known of unsigned ones. */
const details = z.looseObject({
  at: z.iso.datetime(),
  steps: z
    .array(
      z.looseObject({
        id: text,
        planId: text,
        needs: z.array(text),
        isolation: z.enum(['shared', 'worktree', 'copy']),
        folder: text,
      }),
    )
    .optional(),
  usage: z.looseObject({ ...counts.shape, models: z.record(text, counts) }).optional(),
  files: files.optional(),
  result: z
    .looseObject({ text: text.optional(), files, deniedTools: list, warnings: list })
    .optional(),
  error: z
    .looseObject({
      code: text,
      message: text,
      hint: text,
      partial: partial.optional(),
      missing: missing.optional(),
    })
    .optional(),
  warning: z
    .looseObject({
      code: text,
      message: text,
      steps: z.array(text),
      paths: z.array(text).optional(),
    })
    .optional(),
  stop: z.looseObject({ reason: text, message: text }).optional(),
});

export interface OldLedger {
  readonly entries: readonly LedgerEntry[];
  /** Number of lines that are no entries. */
  readonly badLines: number;
}

/** Reads a ledger of version 0.1.0, whose lines have no signature. Every value that reports use is checked. */
export async function readOldLedger(file: string): Promise<OldLedger> {
  const entries: LedgerEntry[] = [];
  let badLines = 0;
  await readLines(file, (line) => {
    const value = line === undefined ? undefined : parseJsonLine(line);
    const entry = parseLedgerEntry(value);
    if (entry === undefined || !details.safeParse(value).success) badLines++;
    // The id of a merge leads to files on the disk: an unsigned entry must not name one.
    else entries.push(entry.type === 'done' ? { ...entry, merge: undefined } : entry);
  });
  return { entries, badLines };
}
