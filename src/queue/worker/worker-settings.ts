import { hostname } from 'node:os';
import { z } from 'zod';
import type { ResponseProvider } from '../../api/response-provider.js';
import { hasMethods } from '../../base/json/has-methods.js';
import { renderDuration } from '../../base/text/parse-duration.js';
import { splitCommandLine } from '../../config/command-line.js';
import { invalidConfig, toProblem } from '../../config/config-problem.js';
import { secondsField, textField, wholeField } from '../../config/fields.js';
import type { Ceiling } from '../protocol/ceiling.js';
import {
  type ConnectionSettings,
  connectionShape,
  labelField,
  labelsField,
  parseSettings,
  resolveConnection,
  textsField,
} from '../queue-settings.js';
import {
  type ShippingSettings,
  sharedFoldersField,
  shippingShape,
  toShippingSettings,
} from './shipping-settings.js';
import type { StepWorkerEvent } from './step-worker-event.js';

/** Checked options of a processor, with all defaults filled in. */
export interface ProcessorSettings {
  readonly connection: ConnectionSettings;
  readonly workerName: string;
  readonly host: string;
  readonly ceiling: Ceiling;
  readonly cacheDir: string | undefined;
  readonly setup: readonly string[] | undefined;
  readonly shipping: ShippingSettings;
  /** Folders that steps may share with their caller, or true or false for all or none. */
  readonly sharedFolders: boolean | readonly string[];
  readonly maxRateLimits: number;
  readonly maxRateLimitWaitMs: number;
}

/** Checked options of a worker, with all defaults filled in. */
export interface WorkerSettings extends ProcessorSettings {
  readonly provider: ResponseProvider;
  readonly concurrency: number;
  readonly labels: readonly string[];
  readonly lockMs: number;
  readonly checkMs: number;
  readonly maxLostAttempts: number;
  /** Remarks about the options. */
  readonly notes: readonly string[];
  readonly onEvent: (event: StepWorkerEvent) => void;
}

const allowSchema = z
  .strictObject({
    approvalMode: z.enum(['default', 'auto_edit', 'yolo', 'plan']),
    allowedTools: textsField,
    weakerProtection: z.boolean(),
    commands: z.boolean(),
    sharedFolders: sharedFoldersField,
  })
  .partial();

/** Schema of a command without a shell. The output is the program and its arguments. */
export const setupField = z
  .union([textField, z.array(textField).min(1)], {
    error: 'must be a command, or a list of the program and its arguments',
  })
  .transform((given, check): string[] => {
    if (typeof given !== 'string') return given;
    const split = splitCommandLine(given);
    if ('command' in split) return [split.command, ...split.args];
    check.addIssue(split.problem);
    return z.NEVER;
  });

const processorShape = {
  ...connectionShape,
  ...shippingShape,
  workerName: labelField,
  allow: allowSchema,
  cacheDir: textField,
  setup: setupField,
  maxRateLimits: wholeField(0),
  maxRateLimitWait: secondsField,
};

const PROVIDER = 'must be a provider with the methods generate, stream, validate and dispose';
const provider = z.custom<ResponseProvider>(
  (value) => hasMethods(value, 'generate', 'stream', 'validate', 'dispose'),
  PROVIDER,
);

export function isProvider(value: unknown): value is ResponseProvider {
  return provider.safeParse(value).success;
}

const workerShape = {
  ...processorShape,
  provider,
  concurrency: wholeField(1, 1_000),
  labels: labelsField,
  lockTime: secondsField,
  checkTime: secondsField,
  maxLostAttempts: wholeField(0),
  onEvent: z.custom<(event: StepWorkerEvent) => void>(
    (value) => typeof value === 'function',
    'must be a function',
  ),
};

/** Checks the options of a processor. Throws INVALID_CONFIG with every problem at once. */
export function parseProcessorSettings(input: unknown): ProcessorSettings {
  return toProcessorSettings(parseSettings(input, processorShape));
}

function toProcessorSettings(
  given: ReturnType<typeof parseSettings<typeof processorShape>>,
): ProcessorSettings {
  const mode = given.allow?.approvalMode ?? 'auto_edit';
  return {
    connection: resolveConnection(given),
    workerName: given.workerName ?? `${cleanHost()}-${process.pid}`,
    host: hostname(),
    ceiling: {
      approvalMode: mode,
      allowedTools: given.allow?.allowedTools ?? [],
      weakerProtection: given.allow?.weakerProtection ?? mode === 'yolo',
      commands: given.allow?.commands ?? true,
    },
    cacheDir: given.cacheDir,
    setup: given.setup,
    shipping: toShippingSettings(given),
    sharedFolders: given.allow?.sharedFolders ?? true,
    maxRateLimits: given.maxRateLimits ?? 10,
    maxRateLimitWaitMs: (given.maxRateLimitWait ?? 1_800) * 1_000,
  };
}

/** Checks the options of a worker. Throws INVALID_CONFIG with every problem at once. */
export function parseWorkerSettings(input: unknown): WorkerSettings {
  const given = parseSettings(input, workerShape);
  const { provider: runner } = given;
  if (runner === undefined) throw invalidConfig([toProblem(['provider'], undefined, PROVIDER)]);
  const { lockTime = 15, checkTime = 5 } = given;
  return {
    ...toProcessorSettings(given),
    provider: runner,
    concurrency: given.concurrency ?? 1,
    labels: given.labels ?? [],
    lockMs: lockTime * 1_000,
    checkMs: checkTime * 1_000,
    notes: findSlowTakeover(lockTime, checkTime),
    maxLostAttempts: given.maxLostAttempts ?? 3,
    onEvent: given.onEvent ?? (() => {}),
  };
}

/** A short lock does not help if the search for lost jobs is rare. */
function findSlowTakeover(lockSeconds: number, checkSeconds: number): string[] {
  if (checkSeconds <= lockSeconds) return [];
  const longest = renderDuration(lockSeconds + 2 * checkSeconds);
  return [
    `A lost worker is replaced only after up to ${longest}: the time of the lock (--lock-time) and twice the longer --check-time`,
  ];
}

/** Returns the host name without the characters that a name may not have. */
function cleanHost(): string {
  return (
    hostname()
      .replace(/[^\w.-]/g, '-')
      .slice(0, 48) || 'worker'
  );
}
