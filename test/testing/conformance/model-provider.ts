import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentEvent } from '../../../src/api/agent-event.js';
import type { GenerateOptions } from '../../../src/api/generate-options.js';
import type { ManifestFile } from '../../../src/api/manifest.js';
import type { ResponseProvider } from '../../../src/api/response-provider.js';
import type { StepOutput } from '../../../src/api/result.js';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import { readResult } from '../../../src/base/events/read-result.js';
import { CancellableStream } from '../../../src/step/cancellable-stream.js';
import type { ConformanceOptions } from '../../../src/testing/conformance/index.js';

/** Ways in which the provider below breaks the contract. */
export interface Faults {
  /** Changes the events of a step. */
  readonly events?: (events: readonly AgentEvent[], prompt: string) => readonly AgentEvent[];
  /** Replaces members of the provider. */
  readonly members?: (provider: ResponseProvider) => Partial<ResponseProvider>;
  /** Replaces the error that a stream throws. */
  readonly error?: (error: ProviderError) => unknown;
  readonly ignoresSignal?: boolean;
  readonly ignoresReturn?: boolean;
  readonly ignoresDispose?: boolean;
  readonly acceptsLaterSteps?: boolean;
}

const WAIT_MS = 60_000;

/** Opens a provider that keeps the contract, except for the faults. Its agent is this process. */
export function conformanceOf(faults: Faults = {}): ConformanceOptions {
  return {
    prompts: { succeed: 'succeed', fail: 'fail', wait: 'wait' },
    writtenFile: 'written.txt',
    partialFile: 'partial.txt',
    // A provider without faults has the time that a loaded machine needs.
    endWithin: Object.keys(faults).length === 0 ? undefined : 0.2,
    open: () => {
      const workingDir = mkdtempSync(join(tmpdir(), 'conformance-'));
      const provider = createProvider(workingDir, faults);
      const close = () => rmSync(workingDir, { recursive: true });
      return { provider: { ...provider, ...faults.members?.(provider) }, workingDir, close };
    },
  };
}

function createProvider(workingDir: string, faults: Faults): ResponseProvider {
  const disposal = new AbortController();
  let isDisposed = false;

  async function* run(
    prompt: string,
    context: object,
    { signal }: GenerateOptions,
    left: AbortSignal,
  ) {
    const generationId = randomUUID();
    const stamp = (event: AgentEvent): AgentEvent => ({
      ...event,
      generationId,
      timestamp: new Date().toISOString(),
    });
    const fail = (code: 'INVALID_INPUT' | 'CANCELLED' | 'API_REQUEST', more: object = {}) =>
      new ProviderError({ code, message: `The step failed with ${code}`, generationId, ...more });
    if (prompt === '' || (isDisposed && faults.acceptsLaterSteps !== true))
      throw fail('INVALID_INPUT');
    if (signal?.aborted && faults.ignoresSignal !== true) throw fail('CANCELLED');
    const output: StepOutput = { ...OUTPUT, generationId };
    yield* change([stamp({ type: 'session-init', sessionId: 's' })], prompt);
    if (prompt === 'wait') {
      const signals = [
        faults.ignoresSignal === true ? undefined : signal,
        faults.ignoresReturn === true ? undefined : left,
        faults.ignoresDispose === true ? undefined : disposal.signal,
      ].filter((one) => one !== undefined);
      const any = AbortSignal.any(signals);
      await sleep(WAIT_MS, undefined, { signal: any, ref: false }).catch(() => {});
      const error = fail('CANCELLED', { cause: any.reason });
      yield stamp({
        type: 'turn-complete',
        subtype: 'CANCELLED',
        isError: true,
        error: error.toJSON(),
      });
      throw error;
    }
    if (prompt === 'fail') {
      const partial = { ...output, files: [write('partial.txt')] };
      const error = fail('API_REQUEST', { partial });
      const end = { type: 'turn-complete', subtype: error.code, isError: true } as const;
      yield* change([stamp({ ...end, error: error.toJSON() })], prompt);
      throw faults.error?.(error) ?? error;
    }
    const files = [write('written.txt')];
    const tool = {
      callId: '1',
      toolName: 'write_file',
      kind: 'edit',
      category: 'file-write',
    } as const;
    const text = 'Done.';
    const result = {
      ...output,
      text,
      files,
      filesWritten: { 'written.txt': null },
      context: { ...context },
    };
    const { usage } = output;
    const end = { type: 'turn-complete', subtype: 'success', isError: false } as const;
    yield* change(
      [
        stamp({ type: 'tool-invocation', ...tool, input: {} }),
        stamp({ type: 'tool-completion', ...tool, status: 'completed', isError: false }),
        stamp({ type: 'text-delta', text: 'A thought.', textKind: 'thinking' }),
        stamp({ type: 'text-delta', text: 'Do', textKind: 'text' }),
        stamp({ type: 'text-delta', text: 'ne.', textKind: 'text' }),
        stamp({ ...end, usage, result }),
      ],
      prompt,
    );
  }

  const change = (events: readonly AgentEvent[], prompt: string) =>
    faults.events?.(events, prompt) ?? events;

  function write(path: string): ManifestFile {
    const absolutePath = join(workingDir, path);
    writeFileSync(absolutePath, path);
    const sha256After = createHash('sha256').update(path).digest('hex');
    const tools = {
      tools: ['write_file'],
      toolIds: ['1'],
      confirmed: true,
      outsideWorkspace: false,
    };
    return { path, absolutePath, kind: 'created', bytes: path.length, sha256After, ...tools };
  }

  const stream: ResponseProvider['stream'] = (prompt, context = {}, options = {}) => {
    const left = new AbortController();
    const events = run(prompt, context, options, left.signal);
    return faults.ignoresReturn === true
      ? events
      : new CancellableStream(events, () => left.abort());
  };
  const dispose = async () => {
    isDisposed = true;
    disposal.abort();
  };
  return {
    metadata: {
      name: 'model',
      description: 'Keeps the contract',
      requiresConfig: false,
      configKeys: [],
      defaultResponseTimeout: 1,
      fsAbility: 'local-write',
    },
    validate: async () => ({ cliPath: 'none', cliVersion: undefined, workingDir, notes: [] }),
    // The result has the context of the call, whose type only the caller knows.
    generate: (...call: Parameters<typeof stream>) => readResult(stream(...call)) as never,
    stream,
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}

const TOKENS = { total: 12, input: 8, output: 3, cached: 2, thoughts: 1, tool: 0 };
const OUTPUT: StepOutput = {
  generationId: '',
  text: '',
  files: [],
  deniedTools: [],
  warnings: [],
  usage: { ...TOKENS, models: { model: TOKENS }, toolCalls: 1 },
  sessionId: 's',
  model: undefined,
  durationMs: 1,
  transport: 'acp',
  cliVersion: undefined,
  recovered: false,
  repairs: 0,
};
