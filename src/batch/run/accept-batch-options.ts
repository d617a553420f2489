import { z } from 'zod';
import type { BatchObserver } from '../../api/batch-observer.js';
import type { BatchOptions } from '../../api/batch-options.js';
import type { ProviderConfig } from '../../api/provider-config.js';
import type { ResponseProvider } from '../../api/response-provider.js';
import { readInput } from '../../base/errors/invalid-input.js';
import { hasMethods } from '../../base/json/has-methods.js';
import { createSuggest } from '../../base/text/nearest-name.js';
import { readOptions } from '../../config/accept-config.js';
import { checkValues } from '../../config/check-values.js';
import { invalidConfig, toProblem } from '../../config/config-problem.js';
import { finishSchema, limitsSchema } from '../plan/plan-schema.js';

const folder = z
  .string('must be the path of a folder')
  .min(1, 'must not be empty')
  .refine((path) => !path.includes('\0'), { error: 'must not contain a NUL character' });

const pattern = z.string().min(1);
const patterns = z.union([pattern, z.array(pattern).min(1)], {
  error: 'must be the id or glob of a step, or a list of them',
});

/** Options whose values the schema of limits does not check. Keys of the limits stay as they are. */
const optionsSchema = z.looseObject({
  out: folder.optional(),
  baseDir: folder.optional(),
  state: folder.optional(),
  fresh: z.boolean('must be true or false').optional(),
  acceptOldLedger: z.boolean('must be true or false').optional(),
  only: patterns.optional(),
  from: patterns.optional(),
  skip: patterns.optional(),
  retryFailed: z.boolean('must be true or false').optional(),
  preflight: z
    .union([z.boolean(), z.literal('provider')], { error: "must be true, false or 'provider'" })
    .optional(),
  provider: z
    .custom<ResponseProvider>(
      (value) => hasMethods(value, 'stream'),
      'must be a provider with the method stream()',
    )
    .optional(),
  observer: z
    .custom<BatchObserver>(
      (value) => hasMethods(value, 'onEvent'),
      'must be an observer with the method onEvent()',
    )
    .optional(),
  config: z.custom<ProviderConfig>(isConfig, 'must be a plain object').optional(),
  ...finishSchema.shape,
  signal: z.instanceof(AbortSignal, { error: 'must be an AbortSignal' }).optional(),
});

const KNOWN: ReadonlySet<string> = new Set([
  ...Object.keys(optionsSchema.shape),
  ...Object.keys(limitsSchema.shape),
]);
const suggest = createSuggest(KNOWN);

/** Checks the options of a batch and copies them. Throws INVALID_CONFIG with all problems. */
export function acceptBatchOptions(input: unknown): BatchOptions {
  return readInput('The options of the batch', () => checkBatchOptions(input), 'INVALID_CONFIG');
}

function checkBatchOptions(input: unknown): BatchOptions {
  const given = { ...readOptions(input, 'options') };
  const { data, problems } = checkValues(optionsSchema, given);
  const unknown = Object.entries(given).flatMap(([key, value]) =>
    value === undefined || KNOWN.has(key)
      ? []
      : [toProblem([key], value, `is an unknown key${suggest(key)}`)],
  );
  if (data === undefined || unknown.length > 0) throw invalidConfig([...problems, ...unknown]);
  return refuseContradictions(data);
}

function refuseContradictions(options: BatchOptions): BatchOptions {
  if (options.fresh !== true || options.retryFailed !== true) return options;
  const problem = 'cannot be combined with fresh, which forgets what has failed';
  throw invalidConfig([{ key: 'retryFailed', value: true, problem }]);
}

function isConfig(value: unknown): boolean {
  if (value === null || value === undefined) return false;
  readOptions(value, 'config');
  return true;
}
