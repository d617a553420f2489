import type { SessionStatusEvent } from '../../api/agent-event.js';
import { Alarm } from '../../base/process/alarm.js';
import { NO_ISOLATION, type TreeIsolation } from '../../base/process/isolation.js';
import { ProcessTreePoll } from '../../base/process/poll-process-tree.js';
import type { ProcessExit } from '../../base/process/process-exit.js';
import { type SpawnRequest, spawnWithFiles } from '../../base/process/spawn-with-files.js';
import { WatchedTree } from '../../base/process/watched-tree.js';
import { Deadlines, type Limits } from '../deadlines.js';
import { describeRetry } from '../gemini/describe-retry.js';
import type { StepStopReason, TurnExit } from '../verdict/verdict.js';
import { OutputFiles } from './output-files.js';
import type { OutputLimits } from './output-limits.js';

/** Longest delay of a delta. It costs 40 reads a second of a few microseconds each. */
const POLL_MS = 25;
const WATCH_MS = 100;
/** Time that a CLI has to exit after its result before it is killed. */
const LINGER_MS = 5_000;

export interface HeadlessProcessRequest extends SpawnRequest {
  readonly processTag: string;
  readonly outputLimits: OutputLimits;
  readonly limits: Limits;
  readonly maxAttempts: number | undefined;
  readonly signal: AbortSignal | undefined;
  /** Means that hold the processes together. Default: none. */
  readonly isolation?: TreeIsolation | undefined;
}

export interface HeadlessProcessExit extends TurnExit {
  /** Number of processes that were still alive after the CLI had exited. */
  readonly processesLeft: number;
  /** Paths of error reports that the CLI left in the temp folder. */
  readonly reportFiles: readonly string[];
}

/** Runs one process of the CLI: its output files, its timers, and everything that may stop it. */
export class HeadlessProcess {
  readonly #output: OutputFiles;
  /** Events from notices on stderr that wait for the event stream. */
  readonly #statuses: SessionStatusEvent[] = [];
  readonly #request: HeadlessProcessRequest;
  readonly #tree: WatchedTree;
  readonly #treePoll: ProcessTreePoll;
  readonly #pid: number | undefined;
  readonly #exited: Promise<ProcessExit>;
  #onExit: (exit: ProcessExit) => void = () => {};
  readonly #deadlines: Deadlines;
  readonly #alarm = new Alarm();
  readonly #watch: NodeJS.Timeout;
  readonly #onAbort = (): void => this.#stop({ kind: 'cancelled' });
  #linger: NodeJS.Timeout | undefined;
  #exit: ProcessExit | undefined;
  #stopReason: StepStopReason | undefined;
  #isFinished = false;
  #hasLingered = false;
  #termination: Promise<void> | undefined;
  #watching: Promise<void> | undefined;
  #ending: Promise<HeadlessProcessExit> | undefined;

  static async start(request: HeadlessProcessRequest): Promise<HeadlessProcess> {
    const tree = new WatchedTree(request.processTag, request.isolation ?? NO_ISOLATION);
    try {
      const child = spawnWithFiles({ ...request, launcher: tree.launcher });
      tree.started(child.pid);
      const { stdoutFile, stderrFile, outputLimits } = request;
      const output = await OutputFiles.open(stdoutFile, stderrFile, outputLimits);
      return new HeadlessProcess(request, tree, child, output);
    } catch (error) {
      await tree.kill();
      tree.forget();
      throw error;
    }
  }

  private constructor(
    request: HeadlessProcessRequest,
    tree: WatchedTree,
    child: ReturnType<typeof spawnWithFiles>,
    output: OutputFiles,
  ) {
    this.#request = request;
    this.#output = output;
    this.#tree = tree;
    this.#pid = child.pid;
    this.#treePoll = new ProcessTreePoll(tree, tree.isHeld);
    this.#deadlines = new Deadlines(request.limits, (phase, limitMs) => {
      this.#stop({ kind: 'timeout', phase, limitMs });
    });
    this.#watch = setInterval(() => this.#poll(), WATCH_MS);
    this.#exited = new Promise((resolve) => {
      this.#onExit = (exit) => {
        // A survivor of SIGKILL may exit after its exit was already reported.
        if (this.#exit !== undefined) return;
        this.#exit = exit;
        output.seal();
        this.#alarm.ring();
        resolve(exit);
      };
    });
    void child.exited.then((exit) => this.#onExit(exit));
    if (request.signal?.aborted) this.#onAbort();
    request.signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Process id of the CLI, or of the launcher that starts it. Undefined if it could not be started. */
  get pid(): number | undefined {
    return this.#pid;
  }

  /** Reads the next piece of stdout; undefined if there is none yet. The buffer is valid until the next call. */
  read(): Promise<Buffer | undefined> {
    return this.#output.read();
  }

  /** True if the output is complete. Check before the last read: output may come between a read and the check. */
  get hasExited(): boolean {
    return this.#exit !== undefined;
  }

  /** Waits until there may be more output. */
  wait(): Promise<void> {
    return this.#alarm.wait(POLL_MS);
  }

  takeStatuses(): SessionStatusEvent[] {
    return this.#statuses.splice(0);
  }

  /** Stops the start timer: the CLI has sent its first event. */
  started(): void {
    this.#deadlines.started();
  }

  /** Stops the timers after the result. From now on no stop reason can turn the turn into a failure. */
  finished(): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.#deadlines.stop();
    this.#output.limitRest();
    this.#linger = setTimeout(() => this.#stopLingering(), LINGER_MS);
  }

  /** Stops the process because the caller has left the event loop. */
  abandon(): void {
    if (!this.hasExited) this.#stop({ kind: 'cancelled' });
  }

  /** Waits for the exit, and kills the processes that the CLI left behind. */
  end(): Promise<HeadlessProcessExit> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<HeadlessProcessExit> {
    const exit = await this.#exited;
    this.#deadlines.stop();
    clearTimeout(this.#linger);
    clearInterval(this.#watch);
    this.#request.signal?.removeEventListener('abort', this.#onAbort);
    const orphans = this.#termination === undefined ? this.#tree.left().length : 0;
    if (orphans > 0) this.#terminate();
    await this.#termination;
    await this.#watching;
    const { stderr, reportFiles } = await this.#output.conclude();
    this.#takeRetries();
    this.#tree.forget();
    return {
      ...exit,
      stderr,
      stopReason: this.#stopReason,
      endedAfterResult: this.#hasLingered,
      processesLeft: orphans,
      reportFiles,
    };
  }

  #stop(reason: StepStopReason): void {
    if (this.#isFinished || this.#stopReason !== undefined || this.hasExited) return;
    this.#stopReason = reason;
    this.#deadlines.stop();
    this.#output.limitRest();
    this.#terminate();
  }

  #stopLingering(): void {
    if (this.hasExited) return;
    this.#hasLingered = true;
    this.#terminate();
  }

  #terminate(): void {
    this.#termination ??= this.#tree.kill().then((survivors) => {
      // SIGKILL does not end a process that hangs in the kernel: report its exit without waiting.
      if (survivors.length > 0) this.#onExit({});
    });
  }

  #takeRetries(): void {
    for (const notice of this.#output.takeRetries()) {
      const { event, stopReason } = describeRetry(notice, this.#request.maxAttempts);
      this.#statuses.push(event);
      if (stopReason !== undefined) this.#stop(stopReason);
    }
  }

  #poll(): void {
    this.#treePoll.pollIfDue();
    this.#watching ??= this.#pollOutput()
      // The output files were removed: the reader of stdout reports this.
      .catch(() => {})
      .finally(() => {
        this.#watching = undefined;
      });
  }

  async #pollOutput(): Promise<void> {
    const flood = this.#output.findFlood();
    if (flood !== undefined && this.#isFinished) this.#stopLingering();
    else if (flood !== undefined) this.#stop({ kind: 'flood', ...flood });
    if (await this.#output.poll()) this.#deadlines.active();
    this.#takeRetries();
  }
}
