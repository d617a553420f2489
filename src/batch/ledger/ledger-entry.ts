import { z } from 'zod';
import type { Isolation } from '../../api/batch-plan.js';
import type { BatchStop, BatchWarning, StepReport } from '../../api/batch-report.js';
import type { ErrorCode, ProviderErrorData } from '../../api/error.js';
import type { ManifestFile } from '../../api/manifest.js';
import type { Usage } from '../../api/result.js';

/** What a step has come to, as the report has it. */
export type StepResult = Pick<
  StepReport,
  'text' | 'data' | 'files' | 'model' | 'generationId' | 'sessionId' | 'deniedTools' | 'warnings'
>;

export interface LedgerStep {
  readonly id: string;
  readonly planId: string;
  readonly needs: readonly string[];
  readonly isolation: Isolation;
  readonly folder: string;
}

const at = z.string();
const step = z.string();
const attempt = z.number();
const lane = z.number();
/** Absent in ledgers of earlier versions, and where the provider names no id. */
const generationId = z.string().optional();
/** Ours to write and ours to read: it is only made sure that it is there. */
const listOf = <Item>() => z.custom<readonly Item[]>(Array.isArray);
const objectOf = <Value>() =>
  z.custom<Value>((value) => typeof value === 'object' && value !== null);

function hasFiles(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && 'files' in value && Array.isArray(value.files)
  );
}

/** The lines of a ledger. */
const entry = z.discriminatedUnion('type', [
  /** A run of the batch begins. */
  z.object({
    type: z.literal('plan'),
    at,
    name: z.string(),
    planHash: z.string(),
    steps: listOf<LedgerStep>(),
  }),
  z.object({
    type: z.literal('start'),
    at,
    step,
    attempt,
    lane,
    key: z.string(),
    prompt: z.string(),
  }),
  /** The provider has named the id of the attempt: after a kill, this line leads to its artifacts and processes. */
  z.object({ type: z.literal('generation'), at, step, attempt, generationId: z.string() }),
  /** An attempt is over. */
  z.object({
    type: z.literal('attempt'),
    at,
    step,
    attempt,
    generationId,
    outcome: z.custom<'succeeded' | ErrorCode>((value) => typeof value === 'string'),
    message: z.string().optional(),
    repairs: z.number(),
    usage: objectOf<Usage>().optional(),
    sessionId: z.string().optional(),
    /** What a failed attempt has left behind: the next one finds it there. */
    files: listOf<ManifestFile>().optional(),
  }),
  z.object({
    type: z.literal('done'),
    at,
    step,
    key: z.string(),
    result: z.custom<StepResult>(hasFiles),
    /** Hashes of the files it depends on, as it has left them. */
    inputs: z.record(z.string(), z.string()),
    /** The isolated workspace whose changes are merged, and stay. */
    merge: z.string().optional(),
  }),
  z.object({ type: z.literal('failed'), at, step, error: objectOf<ProviderErrorData>() }),
  z.object({ type: z.literal('cancelled'), at, step }),
  z.object({ type: z.literal('skipped'), at, step, because: z.string() }),
  /** The batch ends before its turn, and what it had come to in an earlier run no longer stands. */
  z.object({ type: z.literal('open'), at, step }),
  z.object({ type: z.literal('warning'), at, warning: objectOf<BatchWarning>() }),
  z.object({ type: z.literal('stop'), at, stop: objectOf<BatchStop>() }),
  z.object({ type: z.literal('end'), at }),
]);

export type LedgerEntry = z.infer<typeof entry>;
/** Without the time, which is put on when it is written. */
export type NewLedgerEntry = LedgerEntry extends infer Entry
  ? Entry extends LedgerEntry
    ? Omit<Entry, 'at'>
    : never
  : never;

/** Undefined for a line that is none of these. */
export function parseLedgerEntry(value: unknown): LedgerEntry | undefined {
  return entry.safeParse(value).data;
}
