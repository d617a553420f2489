import { resolve } from 'node:path';
import { defaultProcesses } from '../../config/default-processes.js';
import type { QueueConnection } from '../../queue/queue-connection.js';
import { StepQueue } from '../../queue/step-queue.js';
import { createStepWorker } from '../../queue/worker/create-step-worker.js';
import type { AllowedSettings, StepWorkerOptions } from '../../queue/worker/step-worker-options.js';
import { EXIT_CODES, HANDED_BACK_EXIT_CODE } from '../exit-status.js';
import { type Output, print, printJson, sayOn } from '../output/output.js';
import type { ConnectionFlags } from '../queue/queue-flags.js';
import { listenToSignals } from '../signals.js';
import type { CommandTelemetry } from '../telemetry/open-telemetry.js';
import type { OtlpFlags } from '../telemetry/otlp-flag.js';
import { CountingProvider } from './counting-provider.js';
import { readShipping, type ShippingFlags } from './shipping-flags.js';
import { type HealthAddress, serveHealth } from './worker-health.js';
import { WorkerMetrics } from './worker-metrics.js';
import { WorkerView } from './worker-view.js';

/** Steps that share one warm process. More steps would wait for each other. */
const STEPS_PER_PROCESS = 8;

export interface WorkerFlags
  extends ConnectionFlags,
    OtlpFlags,
    ShippingFlags,
    Record<string, unknown> {
  readonly concurrency?: number;
  readonly name?: string;
  readonly labels?: readonly string[];
  readonly commands?: boolean;
  readonly health?: HealthAddress;
  readonly drainLimit?: number | string;
  readonly lockTime?: number | string;
  readonly checkTime?: number | string;
  readonly preflight?: boolean;
  readonly json?: boolean;
}

export interface WorkRequest {
  readonly connection: QueueConnection;
  /** Configuration of the provider: the ceiling for what steps may do. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly flags: WorkerFlags;
  readonly output: Output;
}

/** Runs a worker until a signal ends it. Returns the exit code. */
export async function workOnQueue(request: WorkRequest): Promise<number> {
  const { flags, output } = request;
  if (flags.otlp === undefined) return work(request);
  const { openTelemetry } = await import('../telemetry/open-telemetry.js');
  const telemetry = await openTelemetry(flags.otlp, sayOn(output.stderr));
  try {
    return await work(request, telemetry);
  } finally {
    await telemetry.close();
  }
}

async function work(request: WorkRequest, telemetry?: CommandTelemetry): Promise<number> {
  const { connection, config, flags, output } = request;
  const { concurrency = 1 } = flags;
  const maxProcesses = Math.max(defaultProcesses(), Math.ceil(concurrency / STEPS_PER_PROCESS));
  const metrics = new WorkerMetrics();
  await using provider = new CountingProvider(
    { transport: 'acp', pool: { maxProcesses }, ...config },
    (event) => metrics.countTokens(event),
  );
  if (flags.preflight !== false) {
    const { notes } = await provider.validate();
    for (const note of notes) await print(output.stderr, `${note}\n`);
  }
  const view = flags.json === true ? undefined : new WorkerView(output.stderr, metrics);
  if (telemetry && view) telemetry.notices.show = (text) => view.note(text);
  const stop = new AbortController();
  const cut = new AbortController();
  const signals = listenToSignals(output, {
    onInterrupt: (count) => {
      if (count > 2) process.exit(EXIT_CODES.CANCELLED);
      if (count === 2) cut.abort();
      stop.abort();
    },
    onEnd: () => stop.abort(),
  });
  let closeHealth = async (): Promise<void> => {};
  try {
    // A port that is taken ends the command before the worker takes a step.
    closeHealth = await openHealth(request, metrics, view);
    const starting = createStepWorker({
      ...connection,
      ...toWorkerOptions(flags, config),
      provider: telemetry?.tracing.traced(provider, telemetry.options) ?? provider,
      concurrency,
      onEvent: (event) => {
        metrics.accept(event);
        if (view === undefined) void printJson(output.stdout, event);
        else view.accept(event);
      },
    });
    // A store that does not answer must not keep the command from ending.
    const worker = await Promise.race([starting, whenAborted(stop.signal)]);
    if (worker === undefined) {
      starting.then((late) => late.close({ drain: false })).catch(() => {});
      return signals.hangupExitCode ?? EXIT_CODES.CANCELLED;
    }
    metrics.stats = () => worker.stats();
    await Promise.race([worker.closed, whenAborted(stop.signal)]);
    const { drainLimit: limit } = flags;
    const drained = worker.close({ drain: true, ...(limit === undefined ? {} : { limit }) });
    await Promise.race([drained, whenAborted(cut.signal)]);
    if (cut.signal.aborted) await worker.close({ drain: false });
    await drained;
    if (signals.hangupExitCode !== undefined) return signals.hangupExitCode;
    if (cut.signal.aborted) return EXIT_CODES.CANCELLED;
    return metrics.handedBack > 0 ? HANDED_BACK_EXIT_CODE : 0;
  } finally {
    await closeHealth();
    view?.stop();
    if (telemetry) telemetry.notices.show = sayOn(output.stderr);
    signals.forget();
  }
}

function whenAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

/** Maps the flags to options. The configuration of the provider is the ceiling for what steps may ask for. */
function toWorkerOptions(
  flags: WorkerFlags,
  config: Readonly<Record<string, unknown>>,
): Omit<StepWorkerOptions, 'provider'> {
  const { name: workerName, labels, cache, setup, lockTime, checkTime } = flags;
  const given = { workerName, labels, setup, lockTime, checkTime, logger: config['logger'] };
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(set),
    ...readShipping(flags),
    ...(cache === undefined ? {} : { cacheDir: resolve(cache) }),
    allow: toAllowed(flags, config),
  };
}

/** Picks what steps may ask for from the checked configuration. Exported for its test. */
export function toAllowed(
  { commands, sharedFolder: sharedFolders }: Pick<WorkerFlags, 'commands' | 'sharedFolder'>,
  config: Readonly<Record<string, unknown>>,
): AllowedSettings {
  const { approvalMode, allowedTools, allowRedirection } = config;
  const given = {
    approvalMode,
    allowedTools,
    sharedFolders,
    ...(allowRedirection === true ? { weakerProtection: true } : {}),
    ...(commands === false ? { commands } : {}),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** Opens the health endpoint, if one is asked for. Returns a function that closes it. */
async function openHealth(
  { connection, flags, output }: WorkRequest,
  metrics: WorkerMetrics,
  view: WorkerView | undefined,
): Promise<() => Promise<void>> {
  if (flags.health === undefined) return async () => {};
  const queue = new StepQueue(connection);
  const countWaiting = async (): Promise<number> => (await queue.status()).counts.waiting;
  const { host } = flags.health;
  const health = await serveHealth({ address: flags.health, metrics, countWaiting }).catch(
    async (error: unknown) => {
      await queue.close();
      throw error;
    },
  );
  const shown = host.includes(':') ? `[${host}]` : host;
  const line = `Health: http://${shown}:${health.port}/ready`;
  // The rows of the view would be drawn over a line that is printed beside it.
  if (view === undefined) await print(output.stderr, `${line}\n`);
  else view.note(line);
  return async () => {
    await health.close();
    await queue.close();
  };
}
