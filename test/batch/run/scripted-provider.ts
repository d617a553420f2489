import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { AgentEvent } from '../../../src/api/agent-event.js';
import type { ErrorCode } from '../../../src/api/error.js';
import type { ManifestFile } from '../../../src/api/manifest.js';
import type { GenerateContext, ResponseProvider } from '../../../src/api/response-provider.js';
import type { GenerateResult } from '../../../src/api/result.js';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import { GeminiCliProvider } from '../../../src/step/gemini-cli-provider.js';
import { changeFile, scriptedResult } from './scripted-result.mjs';

export interface Call {
  readonly prompt: string;
  readonly workingDir: string;
  /** Number of calls with this prompt so far, this one included. */
  readonly time: number;
  readonly signal: AbortSignal | undefined;
  /** Generation id in the first event and in the result. */
  readonly generationId: string;
  /** Options of the call. */
  readonly options: unknown;
  readonly context: GenerateContext;
}

export interface Answer {
  readonly text?: string;
  /** Content by path; null removes the file. */
  readonly write?: Readonly<Record<string, string | null>>;
  readonly tokens?: number;
  readonly data?: unknown;
  readonly error?: ErrorCode;
  readonly retryAfterMs?: number;
}

export interface ScriptedProvider extends ResponseProvider {
  readonly calls: Call[];
  /** Highest number of calls that were open at the same time. */
  readonly mostAtOnce: () => number;
}

type Answers = (call: Call) => Answer | Promise<Answer>;

/** Creates a provider that writes files and answers in this process, without an agent. */
export function createScriptedProvider(answer: Answers): ScriptedProvider {
  const calls: Call[] = [];
  let open = 0;
  let most = 0;
  async function* stream(
    prompt: string,
    context: GenerateContext = {},
    options: unknown = {},
  ): AsyncGenerator<AgentEvent, void> {
    const { workingDir, signal } = readOptions(options);
    const time = calls.filter((earlier) => earlier.prompt === prompt).length + 1;
    const generationId = randomUUID();
    const call = { prompt, workingDir, time, signal, generationId, options, context };
    calls.push(call);
    open++;
    most = Math.max(most, open);
    try {
      const sessionId = `session-${calls.length}`;
      const init = { type: 'session-init' as const, sessionId, generationId };
      yield init;
      const given = await raceAbort(answer(call), signal);
      // Waits for the next millisecond, so that calls that overlap also overlap by their times.
      const answeredMs = Date.now();
      while (Date.now() === answeredMs) await new Promise(setImmediate);
      const result = describe(given, call, context);
      if (given.error !== undefined) throw failure(given.error, given.retryAfterMs, result);
      yield { type: 'turn-complete', subtype: 'success', isError: false, result };
    } finally {
      open--;
    }
  }
  return {
    metadata: GeminiCliProvider.getMetadata(),
    calls,
    mostAtOnce: () => most,
    stream,
    validate: () => Promise.reject(new Error('not needed here')),
    generate: () => Promise.reject(new Error('not needed here')),
    dispose: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

function readOptions(options: unknown): { workingDir: string; signal: AbortSignal | undefined } {
  const given: { workingDir?: unknown; signal?: unknown } =
    typeof options === 'object' && options !== null ? options : {};
  const signal = given.signal instanceof AbortSignal ? given.signal : undefined;
  return { workingDir: String(given.workingDir), signal };
}

async function raceAbort(
  answer: Answer | Promise<Answer>,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const aborted = new Promise<Answer>((resolve) => {
    if (signal?.aborted === true) resolve({ error: 'CANCELLED' });
    signal?.addEventListener('abort', () => resolve({ error: 'CANCELLED' }), { once: true });
  });
  return Promise.race([answer, aborted]);
}

function failure(
  code: ErrorCode,
  retryAfterMs: number | undefined,
  partial: GenerateResult,
): ProviderError {
  return new ProviderError({ code, message: `${code} by script`, retryAfterMs, partial });
}

function describe(
  { text = 'ok', write = {}, tokens = 10, data }: Answer,
  { workingDir, generationId }: Call,
  context: GenerateContext,
): GenerateResult {
  const files = Object.entries(write).map(([path, content]) => change(workingDir, path, content));
  const counts = { total: tokens, input: tokens, output: 0, cached: 0, thoughts: 0, tool: 0 };
  return { ...scriptedResult({ text, files, tokens: counts, context }), generationId, data };
}

function change(workingDir: string, path: string, content: string | null): ManifestFile {
  const file = changeFile(workingDir, path, content, (absolutePath) => {
    if (content === null) rmSync(absolutePath);
    else {
      mkdirSync(dirname(absolutePath), { recursive: true });
      writeFileSync(absolutePath, content);
    }
  });
  return { ...file, diff: `--- ${path}\n+++ ${path}\n` };
}
