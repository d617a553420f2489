import { z } from 'zod';
import type { Isolation } from '../../api/batch-plan.js';
import type { BatchEnvironment, BatchStop, BatchWarning } from '../../api/batch-report.js';
import type { CostEstimate } from '../../api/cost.js';
import type { ErrorCode, ProviderErrorData } from '../../api/error.js';
import type { JobReport } from '../../api/job-report.js';
import type { ManifestFile } from '../../api/manifest.js';
import type { GenerateResult, Usage } from '../../api/result.js';
import type { AttemptReason, StepReport, StepSkip } from '../../api/step-report.js';
import { isObject } from '../../base/json/is-object.js';

/** Result of a step, with the fields of the report. */
export type StepResult = Pick<
  StepReport,
  | 'text'
  | 'data'
  | 'files'
  | 'model'
  | 'generationId'
  | 'sessionId'
  | 'deniedTools'
  | 'warnings'
  | 'expectations'
>;

/** Result of an attempt, before its changes are merged. Paths in it are those of the isolated workspace. */
export type AttemptResult = Omit<GenerateResult, 'filesWritten' | 'context'>;

/** A step of the plan as the ledger stores it. */
export interface LedgerStep {
  readonly id: string;
  readonly planId: string;
  readonly needs: readonly string[];
  readonly isolation: Isolation;
  /** Working directory of the step, relative to the common folder of all steps. */
  readonly folder: string;
  readonly continueOnError?: boolean | undefined;
}

/** Digests of the parts of a step's key. A later run compares them to say why the step runs again. */
export interface KeyParts {
  /** Digest of the prompt as the plan has it. */
  readonly prompt: string;
  /** Digest of each value of the configuration, by key. */
  readonly config: Readonly<Record<string, string>>;
  /** Digest of the results that the step needs. */
  readonly needs: string;
}

const at = z.string();
const step = z.string();
const attempt = z.number();
const lane = z.number();
/** Absent in ledgers of earlier versions, and where the provider names no id. */
const generationId = z.string().optional();
/** Checks only that the value is a list: this library wrote its items. */
const listOf = <Item>() => z.custom<readonly Item[]>(Array.isArray);
const objectOf = <Value>() => z.custom<Value>(isObject);

function hasFiles(value: unknown): boolean {
  return isObject(value) && Array.isArray(value['files']);
}

/** Schema of a line of the ledger. */
const entry = z.discriminatedUnion('type', [
  /** A run of the batch begins. */
  z.object({
    type: z.literal('plan'),
    at,
    name: z.string(),
    planHash: z.string(),
    /** Versions and origin of the run. Absent in ledgers of earlier versions. */
    environment: objectOf<BatchEnvironment>().optional(),
    steps: listOf<LedgerStep>(),
    /** Ids of the steps that the run leaves out. Absent if the run is about all steps. */
    leftOut: listOf<string>().optional(),
  }),
  /** An attempt begins. */
  z.object({
    type: z.literal('start'),
    at,
    step,
    attempt,
    lane,
    key: z.string(),
    prompt: z.string(),
    /** Absent in ledgers of earlier versions, like the reason. */
    parts: objectOf<KeyParts>().optional(),
    reason: z.custom<AttemptReason>((value) => typeof value === 'string').optional(),
    changed: listOf<string>().optional(),
    /** Model that the attempt asks for. */
    model: z.string().optional(),
  }),
  /** The provider has named the id of the attempt: after a kill, this line leads to its artifacts and processes. */
  z.object({ type: z.literal('generation'), at, step, attempt, generationId: z.string() }),
  /** A worker of a queue has taken the attempt. A second line says that the worker before was lost. */
  z.object({ type: z.literal('worker'), at, step, attempt, job: objectOf<JobReport>() }),
  /** An attempt has ended. A second line about the same attempt says that its changes could not be merged. */
  z.object({
    type: z.literal('attempt'),
    at,
    step,
    attempt,
    /** Time that the attempt waited in the queue or for a slot of the pool, in milliseconds. */
    waitedMs: z.number().optional(),
    /** Worker and job of the attempt. Absent without a queue. */
    job: objectOf<JobReport>().optional(),
    generationId,
    outcome: z.custom<'succeeded' | ErrorCode>((value) => typeof value === 'string'),
    message: z.string().optional(),
    repairs: z.number(),
    usage: objectOf<Usage>().optional(),
    cost: objectOf<CostEstimate>().optional(),
    sessionId: z.string().optional(),
    /** Files that a failed attempt left in the workspace. The next attempt starts with them. */
    files: listOf<ManifestFile>().optional(),
  }),
  /** An attempt has failed, and the next one starts after the delay. */
  z.object({
    type: z.literal('retry'),
    at,
    step,
    delayMs: z.number(),
    /** Fallback model of the next attempt. */
    model: z.string().optional(),
  }),
  /** The API limits the rate or is down: how many steps may run at the same time, and the time before which none starts. */
  z.object({
    type: z.literal('pace'),
    at,
    limit: z.number(),
    /** The limit without any rate limit. */
    most: z.number(),
    pausedUntil: z.string().optional(),
    /** Cause of the pause. */
    cause: z.enum(['rate-limit', 'outage']).optional(),
  }),
  /** The changes of an attempt that has succeeded are saved. They are merged now, or in a later run. */
  z.object({
    type: z.literal('saved'),
    at,
    step,
    attempt,
    key: z.string(),
    result: z.custom<AttemptResult>(hasFiles),
    /** Hashes of the step's inputs before the step, by path. */
    inputs: z.record(z.string(), z.string()),
    /** Id of the saved changes in the state folder. */
    changes: z.string(),
  }),
  z.object({
    type: z.literal('done'),
    at,
    step,
    key: z.string(),
    result: z.custom<StepResult>(hasFiles),
    /** Hashes of the step's inputs after the step, by path. */
    inputs: z.record(z.string(), z.string()),
    /** Id of the isolated workspace. This line makes the merge of its changes final. */
    merge: z.string().optional(),
  }),
  /** The files of a step that is done are committed. Without `commit`, there was nothing to commit. */
  z.object({ type: z.literal('committed'), at, step, commit: z.string().optional() }),
  z.object({ type: z.literal('failed'), at, step, error: objectOf<ProviderErrorData>() }),
  z.object({ type: z.literal('cancelled'), at, step }),
  /** `because` names the step that failed or was skipped before; absent if the condition of the step itself is false. */
  z.object({
    type: z.literal('skipped'),
    at,
    step,
    because: z.string().optional(),
    skip: objectOf<StepSkip>().optional(),
  }),
  /** The batch ended before it reached the step, and the result of an earlier run no longer matches the plan. */
  z.object({ type: z.literal('open'), at, step }),
  z.object({ type: z.literal('warning'), at, warning: objectOf<BatchWarning>() }),
  z.object({ type: z.literal('stop'), at, stop: objectOf<BatchStop>() }),
  z.object({ type: z.literal('end'), at }),
]);

export type LedgerEntry = z.infer<typeof entry>;
/** An entry without its time, which is added when the entry is written. */
export type NewLedgerEntry = LedgerEntry extends infer Entry
  ? Entry extends LedgerEntry
    ? Omit<Entry, 'at'>
    : never
  : never;

/** Parses a line of the ledger. Returns undefined if the value is not a ledger entry. */
export function parseLedgerEntry(value: unknown): LedgerEntry | undefined {
  return entry.safeParse(value).data;
}
