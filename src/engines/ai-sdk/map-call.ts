import type { LanguageModelV3CallOptions, SharedV3Warning } from '@ai-sdk/provider';
import type { GenerateOptions } from '../../api/generate-options.js';
import { invalidConfig, toProblem } from '../../config/config-problem.js';
import { mapPrompt } from './map-prompt.js';
import { type ReadOptions, readCallOptions } from './read-call-options.js';
import { NAMESPACE } from './to-json.js';

/** Repairs of an object that does not satisfy its schema, if the caller gives no other number. */
const DEFAULT_REPAIRS = 2;

/** A call of the AI SDK as the arguments of `stream()`. */
export interface MappedCall {
  readonly prompt: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly options: GenerateOptions;
  readonly warnings: readonly SharedV3Warning[];
  /** True if the answer has to be JSON: the checked object replaces the text. */
  readonly isJson: boolean;
  readonly includesRaw: boolean;
}

/** Facts that the call does not have. */
export interface CallDefaults extends ReadOptions {
  /** Name of the model. Undefined for the choice of the CLI. */
  readonly model: string | undefined;
  /** Options that the provider has beside those of this package. */
  readonly foreignKeys: readonly string[];
}

/**
 * Every option of a call, and what becomes of it. The compiler asks for a new option of the AI SDK here. `mapped`: reaches
 * the step. `ignored`: has no meaning without HTTP, and the AI SDK always sets it. A text: reported as unsupported.
 */
const CALL_OPTIONS = {
  prompt: 'mapped',
  responseFormat: 'mapped',
  includeRawChunks: 'mapped',
  abortSignal: 'mapped',
  providerOptions: 'mapped',
  headers: 'ignored',
  maxOutputTokens: 'The Gemini CLI has no option for the length of an answer.',
  temperature: 'The Gemini CLI has no option for sampling.',
  topP: 'The Gemini CLI has no option for sampling.',
  topK: 'The Gemini CLI has no option for sampling.',
  presencePenalty: 'The Gemini CLI has no option for sampling.',
  frequencyPenalty: 'The Gemini CLI has no option for sampling.',
  stopSequences: 'The Gemini CLI has no option for stop sequences.',
  seed: 'The Gemini CLI has no option for sampling.',
  tools:
    "The agent uses its own tools. Offer further ones as MCP servers: providerOptions['gemini-cli'].mcpServers.",
  toolChoice:
    "The agent chooses its tools. Restrict them with providerOptions['gemini-cli'].allowedTools and deniedTools.",
} as const satisfies Record<keyof LanguageModelV3CallOptions, string>;

/** Maps a call. Throws INVALID_CONFIG or INVALID_INPUT for options or messages that no step can take. */
export function mapCall(call: LanguageModelV3CallOptions, defaults: CallDefaults): MappedCall {
  const name = `providerOptions.${NAMESPACE}`;
  const own = readCallOptions(call.providerOptions?.[NAMESPACE], name, defaults.foreignKeys);
  const values: Readonly<Record<string, unknown>> = { ...defaults.options, ...own.options };
  const isResumed = values['resume'] !== undefined;
  const { prompt, system, warnings } = mapPrompt(call.prompt, isResumed);
  if (system !== undefined && own.options['systemPrompt'] !== undefined)
    throw twoSystemPrompts(own.options['systemPrompt']);
  const format = call.responseFormat?.type === 'json' ? call.responseFormat : undefined;
  const wanted = format === undefined ? undefined : (format.schema ?? {});
  const isReplaced = wanted !== undefined && hasJson(values['expects']);
  return {
    prompt: format === undefined ? prompt : `${prompt}\n\n${askForJson(format)}`,
    context: { ...defaults.context, ...own.context },
    options: {
      ...values,
      ...(defaults.model === undefined ? {} : { model: defaults.model }),
      ...(system === undefined ? {} : { systemPrompt: system }),
      ...(wanted === undefined ? {} : expectJson(values, { ...wanted })),
      ...(call.abortSignal === undefined ? {} : { signal: call.abortSignal }),
    },
    warnings: [...findUnsupported(call), ...warnings, ...(isReplaced ? [JSON_REPLACED] : [])],
    isJson: wanted !== undefined,
    includesRaw: call.includeRawChunks === true,
  };
}

const JSON_REPLACED: SharedV3Warning = {
  type: 'other',
  message: 'The schema of the call replaces expects.json of the options.',
};

function findUnsupported(call: LanguageModelV3CallOptions): SharedV3Warning[] {
  return Object.entries(CALL_OPTIONS).flatMap(([feature, details]): SharedV3Warning[] => {
    const value: unknown = Reflect.get(call, feature);
    if (details === 'mapped' || details === 'ignored' || !isSet(value)) return [];
    return [{ type: 'unsupported', feature, details }];
  });
}

/** False for values that the AI SDK sets although the caller asked for nothing: no tools, and a free choice of tools. */
function isSet(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value !== 'object' || Reflect.get(value, 'type') !== 'auto';
}

type JsonFormat = Extract<
  NonNullable<LanguageModelV3CallOptions['responseFormat']>,
  { readonly type: 'json' }
>;

function askForJson({ schema, name, description }: JsonFormat): string {
  const what = [name, description].filter((text) => text !== undefined).join(': ');
  const of = what === '' ? '' : ` (${what})`;
  if (schema === undefined) return `Answer with one JSON value${of}, and nothing else.`;
  return `Answer with one JSON value${of} that satisfies this JSON Schema, and nothing else:\n${JSON.stringify(schema)}`;
}

/** Adds the schema to the conditions of the step, so that a wrong answer is repaired in the same session. */
function expectJson(
  { expects, repair = DEFAULT_REPAIRS }: Readonly<Record<string, unknown>>,
  json: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  // Conditions of a wrong type are passed on, so that the provider reports them.
  const isList = typeof expects === 'object' && expects !== null;
  return { expects: isList || expects === undefined ? { ...expects, json } : expects, repair };
}

function hasJson(expects: unknown): boolean {
  return typeof expects === 'object' && expects !== null && Reflect.has(expects, 'json');
}

function twoSystemPrompts(value: unknown) {
  const problem = 'cannot be combined with the system message of the call: give one of the two';
  return invalidConfig([toProblem([`providerOptions.${NAMESPACE}.systemPrompt`], value, problem)]);
}
