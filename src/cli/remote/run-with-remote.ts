import type { BatchEvent } from '../../api/batch-event.js';
import type { BatchOptions } from '../../api/batch-options.js';
import type { RemoteEngineSession } from '../../api/remote-engine.js';
import type { RemoteRight } from '../../api/remote-options.js';
import type { StepReport } from '../../api/step-report.js';
import { isHooksNote } from '../../remote/hooks/find-hooks-note.js';
import { type BatchRemoteFlags, REMOTE_PORT } from '../batch/batch-remote-flags.js';
import type { Output } from '../output/output.js';
import { greetDevices } from './remote-greeting.js';

/** Rights of devices that are paired with the server of a batch: there is nothing to prompt, and nothing to start. */
const DEVICE_RIGHTS: readonly RemoteRight[] = ['watch', 'approve'];
/** A person may take a day to answer. `timeout` of the step still holds. */
const PERMISSION_SECONDS = 24 * 60 * 60;

/**
 * Runs a batch with a remote server of its own, which ends with the batch. Throws before the first step if the server cannot
 * start. `run` gets the options of the batch, and calls the function for each event.
 */
export async function runWithRemote(
  name: string,
  options: BatchOptions,
  flags: BatchRemoteFlags,
  output: Output,
  run: (options: BatchOptions, onEvent: (event: BatchEvent) => void) => Promise<number>,
): Promise<number> {
  const { startRemote } = await import('../../remote/start-remote.js');
  const { publicUrl, remotePort: port = REMOTE_PORT, remoteState: state } = flags;
  const config = { permissionTimeout: PERMISSION_SECONDS, ...options.config };
  await using remote = await startRemote({
    ...{ port, publicUrl, state, rights: DEVICE_RIGHTS },
    config: options.config,
  });
  const { url, port: openPort, notes } = remote;
  // A batch asks on devices without hooks: what the hooks of the CLI lack is nothing to the person now.
  const shown = notes.filter((note) => !isHooksNote(note));
  await greetDevices(
    { url, port: openPort, notes: shown, pairingUrl: () => remote.pairingUrl() },
    { publicUrl, state, portFlag: '--remote-port' },
    output.stderr,
  );
  const session = await remote.openSession({ folder: process.cwd(), title: `Batch ${name}` });
  const steps = new Map<string, string>();
  const view = new RemoteBatchView(session, steps);
  const asking: BatchOptions = {
    ...options,
    config: {
      ...config,
      onPermission: (request) =>
        request.suggested === 'reject'
          ? session.ask(steps.get(request.sessionId) ?? name, request)
          : request.suggested,
    },
  };
  try {
    return await run(asking, (event) => view.accept(event));
  } finally {
    session.end(view.summary);
  }
}

/** Shows the progress of a batch on the page. */
class RemoteBatchView {
  readonly #session: RemoteEngineSession;
  /** Steps by the id of their agent's session. */
  readonly #steps: Map<string, string>;
  #total = 0;
  #finished = 0;
  #failed = 0;
  #tokens = 0;
  #costUsd: number | undefined = 0;

  constructor(session: RemoteEngineSession, steps: Map<string, string>) {
    this.#session = session;
    this.#steps = steps;
  }

  get summary(): string {
    const failed = this.#failed === 0 ? '' : `, ${this.#failed} of them failed`;
    return `The batch has ended: ${this.#finished} of ${this.#total} steps are over${failed}`;
  }

  accept(event: BatchEvent): void {
    switch (event.type) {
      case 'batch-started':
        this.#total = event.steps.length;
        this.#session.note('info', `${event.name}: ${this.#total} steps`);
        return;
      case 'step-started':
        this.#session.note('info', `${event.stepId}: attempt ${event.attempt} started`);
        return;
      case 'step-progress':
        if (event.event.type === 'session-init')
          this.#steps.set(event.event.sessionId, event.stepId);
        this.#session.accept(event.stepId, event.event);
        return;
      case 'step-retry':
        this.#session.endPart(event.stepId);
        this.#session.note('warning', `${event.stepId}: ${event.message}, another attempt follows`);
        return;
      case 'step-finished':
        this.#finish(event.stepId, event.report);
        return;
      case 'warning':
        this.#session.note('warning', event.warning.message);
        return;
      default:
        return;
    }
  }

  #finish(stepId: string, { state, usage, cost, attempts, reused }: StepReport): void {
    this.#session.endPart(stepId);
    this.#finished++;
    const isFailed = state === 'failed';
    if (isFailed) this.#failed++;
    const reason = isFailed ? (attempts.at(-1)?.message ?? '') : '';
    const progress = `${this.#finished} of ${this.#total}`;
    const sentence = `${stepId}: ${state}${reason === '' ? '' : `: ${reason}`} (${progress})`;
    this.#session.note(isFailed ? 'error' : 'info', sentence);
    if (reused) return;
    this.#tokens += usage?.total ?? 0;
    const usd = cost?.usd;
    this.#costUsd =
      usd === undefined || this.#costUsd === undefined ? undefined : this.#costUsd + usd;
    this.#session.usage(this.#tokens, this.#costUsd);
  }
}
