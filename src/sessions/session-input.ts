import { z } from 'zod';
import type { PriceTable } from '../api/cost.js';
import type {
  ListSessionsOptions,
  LoadMessagesOptions,
  SessionLocation,
} from '../api/session-list.js';
import type { WatchOptions } from '../api/session-update.js';
import type { UnifyOptions } from '../api/unified-message.js';
import { invalidInput, readInput } from '../base/errors/invalid-input.js';
import { ProviderError } from '../base/errors/provider-error.js';
import { isObject } from '../base/json/is-object.js';
import { LONGEST_TIMER_MS } from '../base/process/longest-timer.js';
import { describeUnknownKeys } from '../base/text/describe-unknown-keys.js';
import { dotPath } from '../base/text/dot-path.js';

/** Longest path, id or name. No file system has longer paths. */
const LONGEST_TEXT = 65_536;

const path = z
  .string('must be a path')
  .min(1, 'must not be empty')
  .max(LONGEST_TEXT, 'is too long for a path')
  .refine((text) => !text.includes('\0'), { error: 'must not contain a NUL character' })
  .optional();
const flag = z.boolean('must be true or false').optional();
const milliseconds = z
  .number('must be a number of milliseconds')
  .min(0, 'must be 0 or more')
  .max(LONGEST_TIMER_MS, `must be at most ${LONGEST_TIMER_MS}`)
  .optional();

const wanted = z.union([z.string().max(LONGEST_TEXT), z.number()], {
  error: 'must be an id, a number, "latest" or the path of a file',
});
const location = { projectDir: path, geminiHome: path };
const unify = { extras: z.enum(['omit', 'mark'], 'must be "omit" or "mark"').optional() };
const locationSchema = z.strictObject(location);
const unifySchema = z.strictObject(unify);
const locationAndUnifySchema = z.strictObject({ ...location, ...unify });
const loadSchema = z.strictObject({ ...location, ...unify, sessionId: wanted.optional() });
const listSchema = z.strictObject({
  ...location,
  // A limit below 1 gives an empty list, and infinity means no limit.
  limit: z
    .custom<number>(
      (limit) => typeof limit === 'number' && !Number.isNaN(limit),
      'must be a number',
    )
    .optional(),
  subagents: flag,
  prices: z.custom<PriceTable>(isObject, 'must map names of models to prices').optional(),
  counts: z.enum(['auto', 'exact'], 'must be "auto" or "exact"').optional(),
});
const watchSchema = z.strictObject({
  ...location,
  ...unify,
  signal: z.instanceof(AbortSignal, { error: 'must be an AbortSignal' }).optional(),
  skipExisting: flag,
  pollIntervalMs: milliseconds,
  debounceMs: milliseconds,
});

function accept<Schema extends z.ZodObject>(schema: Schema, input: unknown): z.output<Schema> {
  return readInput('options', () => {
    if (typeof input !== 'object' || input === null) {
      throw invalidInput('options', 'an object', input);
    }
    const parsed = schema.safeParse(input);
    if (parsed.success) return parsed.data;
    const problems = parsed.error.issues.map((issue) => {
      if (issue.code === 'unrecognized_keys') return describeUnknown(issue.keys, schema);
      return issue.path.length === 0 ? issue.message : `${dotPath(issue.path)} ${issue.message}`;
    });
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: `Invalid options: ${problems.join('; ')}`,
      hint: 'Correct the named options.',
    });
  });
}

function describeUnknown(keys: readonly string[], { shape }: z.ZodObject): string {
  return `the object ${describeUnknownKeys(keys, Object.keys(shape))}`;
}

export function acceptLocation(input: unknown): SessionLocation {
  return accept(locationSchema, input);
}

export function acceptUnifyOptions(input: unknown): UnifyOptions {
  return accept(unifySchema, input);
}

export function acceptMessageOptions(input: unknown): SessionLocation & UnifyOptions {
  return accept(locationAndUnifySchema, input);
}

export function acceptLoadOptions(input: unknown): LoadMessagesOptions {
  return accept(loadSchema, input);
}

export function acceptListOptions(input: unknown): ListSessionsOptions {
  return accept(listSchema, input);
}

export function acceptWatchOptions(input: unknown): WatchOptions {
  return accept(watchSchema, input);
}

/** Checks the path of a file or folder. */
export function acceptPath(name: string, input: unknown): string {
  if (typeof input === 'string' && input !== '' && input.length <= LONGEST_TEXT) return input;
  throw invalidInput(name, 'a path', input);
}

/** Checks a session as callers name it: an id, the beginning of an id, a number, `latest`, or the path of a file. */
export function acceptWanted(input: unknown): string | number {
  if (typeof input === 'number') return input;
  if (typeof input === 'string' && input.length <= LONGEST_TEXT) return input;
  throw invalidInput('session', 'an id, a number, "latest" or the path of a file', input);
}
