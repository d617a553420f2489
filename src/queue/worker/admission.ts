import type { WorkerInfo } from '../job-info.js';
import type { StoreProblem } from '../store/store-error.js';
import type { AdmissionStop } from './admission-stop.js';
import type { LabelWorkers } from './label-workers.js';
import type { StepWorkerEvent } from './step-worker-event.js';

interface AdmissionRequest {
  readonly workers: Pick<LabelWorkers, 'stop' | 'resume'>;
  readonly emit: (event: StepWorkerEvent) => void;
  /** Called when the worker takes jobs again. */
  readonly onReady: () => void;
  /** Called when the state has changed. */
  readonly onChange: () => void;
}

/** Whether a worker takes jobs, and why not. */
export class Admission {
  readonly #request: AdmissionRequest;
  #state: WorkerInfo['state'] = 'ready';
  #stop: AdmissionStop | undefined;
  #problem: StoreProblem | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(request: AdmissionRequest) {
    this.#request = request;
  }

  describe(): Pick<WorkerInfo, 'state' | 'reason'> {
    const reason = this.#stop?.message ?? this.#problem?.message;
    const isStopped = this.#state === 'ready' && this.#problem !== undefined;
    return { state: isStopped ? 'stopped' : this.#state, reason };
  }

  /** True if the worker waits for a proof of its secret. */
  get isDoubtful(): boolean {
    return this.#state === 'stopped' && this.#stop?.isDoubtful === true;
  }

  /** Takes no more jobs because of a fault of this worker. */
  stop(stop: AdmissionStop): void {
    if (this.#state !== 'ready') return;
    this.#state = 'stopped';
    this.#stop = stop;
    this.#apply();
    const { code, message, pauseMs } = stop;
    const until =
      pauseMs === undefined ? {} : { until: new Date(Date.now() + pauseMs).toISOString() };
    this.#request.emit({ type: 'admission-stopped', code, message, ...until });
    if (pauseMs !== undefined) this.#timer = setTimeout(() => this.resume(), pauseMs);
  }

  /** The fault of this worker is over. */
  resume(): void {
    if (this.#state !== 'stopped') return;
    this.#state = 'ready';
    this.#stop = undefined;
    this.#apply();
    if (this.#problem === undefined) this.#request.onReady();
  }

  /** Takes no more jobs while the store has a problem: BullMQ would ask for jobs again and again without a break. */
  storeFailed(problem: StoreProblem): void {
    this.#problem = problem;
    this.#apply();
  }

  storeWorks(): void {
    this.#problem = undefined;
    this.#apply();
    if (this.#state === 'ready') this.#request.onReady();
  }

  /** Takes no more jobs for ever. */
  drain(): void {
    clearTimeout(this.#timer);
    this.#state = 'draining';
    this.#request.onChange();
  }

  #apply(): void {
    const { workers, onChange } = this.#request;
    if (this.#state === 'ready' && this.#problem === undefined) workers.resume();
    else if (this.#state !== 'draining') workers.stop();
    onChange();
  }
}
