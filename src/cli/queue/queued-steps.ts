import type { Logger } from '../../api/logger.js';
import type { ValidationReport } from '../../api/response-provider.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { countOf } from '../../base/text/count-of.js';
import type { QueueStatus, WorkerInfo } from '../../queue/job-info.js';
import { isSameMajor } from '../../queue/protocol/version.js';
import { QueuedProvider } from '../../queue/provider/queued-provider.js';
import type { QueuedProviderOptions } from '../../queue/provider/queued-provider-options.js';
import { StepQueue } from '../../queue/step-queue.js';
import type { ConnectionNotices } from './connection-notices.js';

/** Most workers that a message names. */
const MOST_WORKERS = 5;

/** Provider in front of a queue, for the steps of a command. Its check asks whether a worker takes the steps. */
export class QueuedSteps extends QueuedProvider {
  readonly notices: ConnectionNotices;
  readonly #connection: QueuedProviderOptions;
  readonly #labels: readonly string[];

  /** The configuration holds for all steps that do not set the same key. `say` shows notices until a view does. */
  constructor(options: QueuedProviderOptions, config: object, say: (line: string) => void) {
    const { logger, ...settings } = { logger: undefined, ...config };
    const connection = isLogger(logger) ? { ...options, logger } : options;
    const notices: ConnectionNotices = { show: say };
    const onConnection = (isConnected: boolean, message: string): void => {
      const away = `No connection to the store: ${message}. Steps go on when it is there`;
      notices.show(isConnected ? 'The store is there again' : away);
    };
    const watched = { ...connection, onConnection };
    super({ ...watched, config: settings });
    this.notices = notices;
    this.#connection = watched;
    this.#labels = [options.labels ?? []].flat();
  }

  override async validate(): Promise<ValidationReport> {
    const status = await this.#readStatus();
    const notes = [describeWorkersFor(status, this.#labels), ...status.notes];
    return { cliPath: '', cliVersion: undefined, workingDir: process.cwd(), notes };
  }

  /** Returns how many steps the workers that are there can run at the same time. Throws if the store cannot be reached. */
  async countSlots(): Promise<number> {
    const status = await this.#readStatus();
    return readyFor(status, this.#labels).reduce((sum, worker) => sum + worker.concurrency, 0);
  }

  async #readStatus(): Promise<QueueStatus> {
    await using queue = new StepQueue(this.#connection);
    return await queue.status();
  }
}

function readyFor({ workers }: QueueStatus, labels: readonly string[]): readonly WorkerInfo[] {
  return workers.filter((worker) => {
    const isAble = worker.state === 'ready' && isSameMajor(worker.protocol);
    return isAble && labels.every((label) => worker.labels.includes(label));
  });
}

/**
 * Describes the workers that can take steps with these labels. Throws INVALID_CONFIG if there is none: the steps would wait
 * in the queue without a word.
 */
export function describeWorkersFor(status: QueueStatus, labels: readonly string[]): string {
  const { url, name, workers } = status;
  const ready = readyFor(status, labels);
  const where = `queue ${name} at ${url}`;
  if (ready.length === 0) throw noWorker(status, labels, where);
  const places = ready.reduce((sum, { concurrency }) => sum + concurrency, 0);
  const named = ready.slice(0, MOST_WORKERS).map((worker) => worker.name);
  const more = ready.length - named.length;
  const list = [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
  const others = workers.length - ready.length;
  const rest = others > 0 ? `, ${others} of ${workers.length} cannot take these steps` : '';
  return `${where}: ${countOf(ready.length, 'worker')} (${list}) for ${countOf(places, 'step')} at a time${rest}`;
}

function noWorker(
  { workers }: QueueStatus,
  labels: readonly string[],
  where: string,
): ProviderError {
  const asked = labels.length === 0 ? '' : ` with the labels ${labels.join(', ')}`;
  const stopped = workers.find(({ state }) => state === 'stopped');
  const why =
    workers.length === 0
      ? 'no worker is there'
      : `${countOf(workers.length, 'worker')} there, none of them takes such steps`;
  const other = workers.find(({ protocol }) => !isSameMajor(protocol));
  const version = other && `${other.name} has version ${other.version}, with another protocol`;
  const fault = stopped?.reason === undefined ? version : `${stopped.name}: ${stopped.reason}`;
  const reason = fault === undefined ? '' : ` (${fault})`;
  const flag = labels.length === 0 ? '' : ` --labels ${labels.join(',')}`;
  return new ProviderError({
    code: 'INVALID_CONFIG',
    message: `No worker${asked} takes steps from the ${where}: ${why}${reason}`,
    hint: `Start one with \`gemini-cli-provider worker --queue env${flag}\`, or leave the check out with --no-preflight: the steps then wait for a worker.`,
  });
}

function isLogger(value: unknown): value is Logger {
  return typeof value === 'object' && value !== null && 'warn' in value;
}
