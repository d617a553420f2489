import { z } from 'zod';
import type { Logger } from '../api/logger.js';
import { readInput } from '../base/errors/invalid-input.js';
import { readEnvironment } from '../base/process/environment.js';
import { toSnakeCase } from '../base/text/snake-case.js';
import { readOptions } from '../config/accept-config.js';
import { invalidConfig, toProblem } from '../config/config-problem.js';
import { secondsField, textField } from '../config/fields.js';
import { silentLogger } from '../config/logging.js';
import { isLogger } from '../config/schema.js';
import { MOST_LABEL_CHARACTERS, NAME_FORM, NAME_PROBLEM, sortLabels } from './protocol/labels.js';
import { EMBEDDED, parseStoreUrl, QUEUE_VARIABLE } from './store/store-url.js';

/** Variable with the secret that signs jobs. */
export const SECRET_VARIABLE = 'GEMINI_CLI_PROVIDER_QUEUE_SECRET';
const SHORTEST_SECRET = 16;
const CONNECT_SECONDS = 300;

/** Checked connection: where the store is, and the secret. */
export interface ConnectionSettings {
  readonly url: string;
  readonly name: string;
  readonly secret: string | undefined;
  readonly allowUnsigned: boolean;
  readonly logger: Logger;
  readonly connectMs: number;
}

export const labelField = z.string().regex(NAME_FORM, NAME_PROBLEM);

/** Schema of a list of labels. The output is sorted. */
export const labelsField = z
  .union([labelField, z.array(labelField)], { error: 'must be a label or a list of labels' })
  .transform((given) => sortLabels(typeof given === 'string' ? [given] : given))
  .refine((labels) => labels.join('+').length <= MOST_LABEL_CHARACTERS, {
    error: `must have at most ${MOST_LABEL_CHARACTERS} characters in all labels together`,
  });

/** Schema of a text or a list of texts. The output is a list. */
export const textsField = z
  .union([textField, z.array(textField)], { error: 'must be a text or a list of texts' })
  .transform((given) => (typeof given === 'string' ? [given] : given));

/** Schema of each key of `QueueConnection`. */
export const connectionShape = {
  queue: textField,
  name: labelField,
  secret: z.string().min(SHORTEST_SECRET, `must have at least ${SHORTEST_SECRET} characters`),
  allowUnsigned: z.boolean(),
  connectTimeout: secondsField,
  logger: z.custom<Logger>(isLogger, 'must have the methods debug, info, warn and error'),
} as const;

type Given = { readonly [Key in keyof typeof connectionShape]?: unknown };

/**
 * Checks options by a schema whose keys are all optional. Throws INVALID_CONFIG with every problem at once. Unknown keys
 * are refused; the snake_case spelling of each key works too; null means "not set".
 */
export function parseSettings<Shape extends z.ZodRawShape>(input: unknown, shape: Shape) {
  return readInput('options', () => parseValues(input, shape), 'INVALID_CONFIG');
}

function parseValues<Shape extends z.ZodRawShape>(input: unknown, shape: Shape) {
  const names = new Map(
    Object.keys(shape).flatMap((key) => [
      [key, key],
      [toSnakeCase(key), key],
    ]),
  );
  const values: Record<string, unknown> = {};
  for (const [spelling, value] of Object.entries(readOptions(input, 'options'))) {
    if (value !== undefined && value !== null) values[names.get(spelling) ?? spelling] = value;
  }
  const parsed = z.strictObject(shape).partial().safeParse(values);
  if (parsed.success) return parsed.data;
  throw invalidConfig(
    parsed.error.issues.flatMap((issue) => {
      if (issue.code === 'unrecognized_keys')
        return issue.keys.map((key) => toProblem([key], values[key], 'is no option here'));
      const [key = ''] = issue.path;
      const isHidden = key === 'secret' || key === 'queue';
      const value = isHidden ? '(hidden)' : values[String(key)];
      return [toProblem(issue.path, value, issue.message)];
    }),
  );
}

/** Fills in the defaults of a connection from the environment. Throws INVALID_CONFIG if no store is named. */
export function resolveConnection(given: Given): ConnectionSettings {
  const environment = readEnvironment();
  const url = given.queue ?? environment[QUEUE_VARIABLE];
  const secret = given.secret ?? environment[SECRET_VARIABLE];
  if (typeof url !== 'string' || url === '')
    throw invalidConfig([
      { key: 'queue', value: undefined, problem: `must be set, or the variable ${QUEUE_VARIABLE}` },
    ]);
  // A wrong URL is refused here, before a step is accepted that could never be sent.
  if (url !== EMBEDDED) parseStoreUrl(url, environment);
  if (typeof secret === 'string' && secret !== '' && secret.length < SHORTEST_SECRET)
    throw invalidConfig([
      {
        key: SECRET_VARIABLE,
        value: '(hidden)',
        problem: `must have at least ${SHORTEST_SECRET} characters`,
      },
    ]);
  return {
    url,
    name: typeof given.name === 'string' ? given.name : 'gemini-cli-provider',
    secret: typeof secret === 'string' && secret !== '' ? secret : undefined,
    allowUnsigned: given.allowUnsigned === true,
    logger: isLogger(given.logger) ? given.logger : silentLogger,
    connectMs:
      (typeof given.connectTimeout === 'number' ? given.connectTimeout : CONNECT_SECONDS) * 1_000,
  };
}
