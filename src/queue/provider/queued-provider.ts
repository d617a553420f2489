import { randomUUID } from 'node:crypto';
import type { AgentEvent } from '../../api/agent-event.js';
import type {
  ContextKeys,
  GenerateContext,
  ProviderMetadata,
  ResponseProvider,
  ValidationReport,
} from '../../api/response-provider.js';
import type { GenerateResult } from '../../api/result.js';
import {
  toProviderError,
  withGenerationId,
  withReason,
} from '../../base/errors/unexpected-error.js';
import { readPackageVersion } from '../../base/fs/package-version.js';
import { cleanLine } from '../../base/text/clean-text.js';
import { DEFAULT_TIMEOUT_SECONDS } from '../../config/resolve-config.js';
import { type ActiveStep, ActiveSteps } from '../../step/active-steps.js';
import { CancellableStream } from '../../step/cancellable-stream.js';
import { readStepResult } from '../../step/read-step-result.js';
import { stampEvent } from '../../step/stamp-event.js';
import { satisfies } from '../protocol/labels.js';
import { describeQueuePause } from '../protocol/queue-controls.js';
import { fingerprintOf } from '../protocol/signature.js';
import { isSameMajor } from '../protocol/version.js';
import { readPause } from '../worker/queue-pause.js';
import { readHeartbeats } from '../worker/worker-registry.js';
import { CLIENT_KEYS, parseClientSettings } from './client-settings.js';
import { QueueClient } from './queue-client.js';
import type { QueuedOptions, QueuedProviderOptions } from './queued-provider-options.js';
import { acceptStep } from './queued-request.js';
import { runQueuedStep } from './queued-step.js';

const METADATA: ProviderMetadata = {
  name: 'queued',
  description: 'Puts each step on a queue, from which a worker on any machine runs it',
  get version() {
    return readPackageVersion();
  },
  requiresConfig: false,
  configKeys: CLIENT_KEYS,
  defaultResponseTimeout: DEFAULT_TIMEOUT_SECONDS,
  fsAbility: 'local-write',
};

/** Reason of a cancel. A text: an error with its stack costs more, and each call of `generate` leaves its stream at the end. */
const LEFT = 'the caller has left the stream';

/**
 * Provider that puts each step on a queue. A worker on any machine runs the step. Events come back while the step runs,
 * the result at its end, and the files appear in the working directory of the caller.
 */
export class QueuedProvider implements ResponseProvider<QueuedOptions> {
  /** Name, description and configuration keys. */
  readonly metadata: ProviderMetadata = METADATA;
  readonly #client: QueueClient;
  readonly #active = new ActiveSteps();

  /** Checks the options. Throws INVALID_CONFIG with every problem at once. Connects to the store at the first call. */
  constructor(options: QueuedProviderOptions = {}) {
    this.#client = new QueueClient(parseClientSettings(options));
  }

  /** Reaches the store and counts the workers. Throws a `ProviderError`. */
  async validate(): Promise<ValidationReport> {
    const { store, trust } = await this.#client.open();
    const { labels, config } = this.#client.settings;
    const [workers, pause] = await store.ask(() =>
      Promise.all([readHeartbeats(store.blobs), readPause(store)]),
    );
    const secret = fingerprintOf(trust);
    const strangers = workers.filter((worker) => (worker.secret ?? secret) !== secret);
    const able = workers.filter((worker) => {
      const isOwn = !strangers.includes(worker) && isSameMajor(worker.protocol);
      return isOwn && satisfies(worker.labels, labels);
    });
    const wanted = labels.length === 0 ? '' : ` with the labels ${labels.join(', ')}`;
    const workingDir = config['workingDir'];
    const where = store.address.shown;
    return {
      cliPath: where,
      cliVersion: undefined,
      workingDir: typeof workingDir === 'string' ? workingDir : process.cwd(),
      notes: [
        ...store.notes,
        able.length === 0
          ? `No worker${wanted} is connected to ${where}: steps wait until one is`
          : `${able.length} of ${workers.length} workers can run the steps`,
        ...describeStrangers(strangers.map(({ name }) => name)),
        ...(pause === undefined ? [] : [`Steps wait: ${describeQueuePause(pause)}`]),
      ],
    };
  }

  /** Runs one step on a worker. Throws a `ProviderError` for every outcome but success. */
  generate<Context extends object = GenerateContext>(
    prompt: string,
    context?: Context & ContextKeys,
    options?: QueuedOptions,
  ): Promise<GenerateResult<Context>>;
  generate(
    prompt: string,
    context: object & ContextKeys = {},
    options: QueuedOptions = {},
  ): Promise<GenerateResult> {
    return readStepResult(this.stream(prompt, context, options));
  }

  /**
   * Runs one step on a worker and yields its events. The last event is `turn-complete`; after a failed step the
   * `ProviderError` is thrown. Leaving the loop or calling `return()` cancels the step, unless `detach` is set.
   */
  stream(
    prompt: string,
    context: object & ContextKeys = {},
    options: QueuedOptions = {},
  ): AsyncGenerator<AgentEvent, void> {
    const left = new AbortController();
    const events = this.#stream(prompt, context, options, left.signal);
    return new CancellableStream(events, () => left.abort(LEFT));
  }

  /** Adds the `generationId` of the step to each event and each error. */
  async *#stream(
    prompt: string,
    context: object & ContextKeys,
    options: QueuedOptions,
    left: AbortSignal,
  ): AsyncGenerator<AgentEvent, void> {
    const generationId = randomUUID();
    let active: ActiveStep | undefined;
    try {
      const request = acceptStep(prompt, context, options, this.#client.settings);
      active = this.#active.begin(request.signal, left);
      const { signal } = active;
      for await (const event of runQueuedStep({
        client: this.#client,
        request,
        generationId,
        signal,
      }))
        yield { ...stampEvent(event), generationId };
    } catch (thrown) {
      const error = toProviderError(thrown, active?.signal);
      throw withGenerationId(active ? withReason(error, active.signal) : error, generationId);
    } finally {
      active?.end();
    }
  }

  /** Cancels the steps of this provider, unless `detach` is set, and closes the connection. Later calls are refused. */
  async dispose(): Promise<void> {
    await this.#active.dispose();
    await this.#client.close();
  }

  /** Same as `dispose()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }
}

function describeStrangers(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const list = cleanLine(names.join(', '));
  return [`Workers with another secret than this caller do not run the steps: ${list}`];
}
