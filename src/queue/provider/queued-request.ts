import { resolve } from 'node:path';
import { z } from 'zod';
import type { ContextKeys } from '../../api/response-provider.js';
import { invalidInput, readInput } from '../../base/errors/invalid-input.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { statIfThere } from '../../base/fs/stats.js';
import { isObject } from '../../base/json/is-object.js';
import { formatTraceparent, parseTraceparent } from '../../base/text/traceparent.js';
import { acceptConfig, readObject, readOptions } from '../../config/accept-config.js';
import { invalidConfig } from '../../config/config-problem.js';
import { normaliseKeys } from '../../config/resolve-config.js';
import { assertOnePrompt } from '../../step/prompt/assert-one-prompt.js';
import { readPromptFile } from '../../step/prompt/read-prompt-file.js';
import { pickTravelling, type TravellingOptions } from '../protocol/travelling-options.js';
import { labelsField, parseSettings } from '../queue-settings.js';
import { type ClientSettings, priorityField } from './client-settings.js';

/** A step of a caller, checked and ready to be put on the queue. */
export interface QueuedRequest {
  readonly prompt: string;
  /** The caller's own object: the result hands it back. */
  readonly context: Readonly<Record<string, unknown>>;
  readonly workingDir: string;
  readonly options: TravellingOptions;
  readonly labels: readonly string[];
  readonly priority: number;
  readonly idempotencyKey: string | undefined;
  readonly sessionProject: string | undefined;
  readonly traceparent: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Checks prompt, context and options of a call. Throws INVALID_INPUT or INVALID_CONFIG. */
export function acceptStep(
  prompt: string,
  givenContext: object & ContextKeys,
  givenOptions: unknown,
  settings: ClientSettings,
): QueuedRequest {
  const context = readInput('context', () => readContext(givenContext));
  const { signal, labels, priority, rest } = readInput(
    'options',
    () => splitOptions(givenOptions),
    'INVALID_CONFIG',
  );
  const { travelling, givenDir } = acceptOptions(rest, settings);
  const workingDir = findWorkingDir(givenDir, context);
  const idempotencyKey = readText(context, 'idempotencyKey', 'idempotency_key');
  return {
    prompt: readPrompt(prompt, context, workingDir),
    context,
    workingDir,
    options: withSystemPrompt(travelling, workingDir),
    labels: labels ?? settings.labels,
    priority: priority ?? settings.priority,
    idempotencyKey,
    sessionProject: readText(context, 'sessionProject', 'session_project'),
    traceparent: readTraceparent(context),
    signal,
  };
}

interface AcceptedOptions {
  readonly travelling: TravellingOptions;
  readonly givenDir: string | undefined;
}

/** Options of steps that have none of their own, by the settings of their provider. */
const accepted = new WeakMap<ClientSettings, AcceptedOptions>();

/** Checks the options of a step. Those of the provider alone are checked once: most steps of a batch have no others. */
function acceptOptions(rest: object, settings: ClientSettings): AcceptedOptions {
  const isEmpty = Object.keys(rest).length === 0;
  const known = isEmpty ? accepted.get(settings) : undefined;
  if (known !== undefined) return known;
  const travelling = pickTravelling({ ...settings.config, ...normaliseKeys(rest).values });
  const { config } = acceptConfig(rest, settings.config);
  const options = { travelling, givenDir: config.workingDir };
  if (isEmpty) accepted.set(settings, options);
  return options;
}

const OWN_OPTIONS = { labels: labelsField, priority: priorityField };

/** Returns the caller's own object, not a copy. */
function readContext(given: unknown): Readonly<Record<string, unknown>> {
  const context = readObject(given, 'context');
  // Reads every value once: a getter that throws must not fail the step later.
  Object.values(context);
  return isObject(context) ? context : {};
}

function splitOptions(given: unknown) {
  const { signal, labels, priority, ...rest }: Record<string, unknown> = {
    ...readOptions(given, 'options'),
  };
  // The check costs more than the rest of a small step, and few steps have options of the queue.
  const own = (labels ?? priority) ? parseSettings({ labels, priority }, OWN_OPTIONS) : {};
  if (signal === undefined || signal === null) return { ...own, signal: undefined, rest };
  if (signal instanceof AbortSignal) return { ...own, signal, rest };
  throw invalidConfig([{ key: 'signal', value: typeof signal, problem: 'must be an AbortSignal' }]);
}

function readText(
  context: QueuedRequest['context'],
  camel: string,
  snake: string,
): string | undefined {
  const value = context[camel] ?? context[snake];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && value !== '') return value;
  throw invalidInput(`context.${camel}`, 'a text', value);
}

function readTraceparent({ traceparent }: QueuedRequest['context']): string | undefined {
  const position = parseTraceparent(traceparent);
  return position && formatTraceparent(position);
}

function findWorkingDir(workingDir: string | undefined, context: QueuedRequest['context']): string {
  const projectRoot = readText(context, 'projectRoot', 'project_root');
  const path = resolve(workingDir ?? projectRoot ?? process.cwd());
  if (statIfThere(path)?.isDirectory()) return path;
  throw new ProviderError({
    code: 'INVALID_INPUT',
    message: `The working directory ${path} does not exist or is no folder`,
    hint: 'Correct workingDir or context.projectRoot.',
  });
}

/** The prompt file is read here: the worker may not have it. */
function readPrompt(prompt: string, context: QueuedRequest['context'], workingDir: string): string {
  const file = readText(context, 'promptFile', 'prompt_file');
  if (file !== undefined) {
    assertOnePrompt(prompt, resolve(workingDir, file));
    return readPromptFile(resolve(workingDir, file));
  }
  if (typeof prompt !== 'string') throw invalidInput('prompt', 'a text', prompt);
  if (prompt.trim() === '') throw invalidInput('prompt', 'a text that is not empty', prompt);
  return prompt;
}

const systemPromptFile = z.object({ mode: z.string(), file: z.string() });

/** A file with the system prompt is read here: the worker may not have it. */
function withSystemPrompt(options: TravellingOptions, workingDir: string): TravellingOptions {
  const { systemPrompt } = options;
  if (!isObject(systemPrompt)) return options;
  const given = systemPromptFile.safeParse(systemPrompt);
  if (!given.success) return options;
  const text = readPromptFile(resolve(workingDir, given.data.file), 'System prompt file');
  return { ...options, systemPrompt: { mode: given.data.mode, text } };
}
