import type { SessionStatusEvent } from '../../api/agent-event.js';
import { Alarm } from '../../base/process/alarm.js';
import { killProcessTree } from '../../base/process/kill-process-tree.js';
import { ProcessTreePoll } from '../../base/process/poll-process-tree.js';
import { ProcessTree } from '../../base/process/process-tree.js';
import { forgetProcesses, watchProcesses } from '../../base/process/reaper.js';
import { tagProcess } from '../../base/process/rlimit-tag.js';
import { type ProcessExit, type SpawnRequest, spawnCli } from '../../base/process/spawn-cli.js';
import { Deadlines, type Limits } from '../deadlines.js';
import { describeRetry } from '../gemini/describe-retry.js';
import type { StepStopReason, TurnExit } from '../verdict/verdict.js';
import { OutputFiles } from './output-files.js';
import type { OutputLimits } from './output-limits.js';

/** How soon a delta is seen, and how much that costs: 40 reads a second, each a few microseconds. */
const POLL_MS = 25;
const WATCH_MS = 100;
/** A CLI that has given its result but does not go is helped along after this time. */
const LINGER_MS = 5_000;

export interface HeadlessProcessRequest extends SpawnRequest {
  readonly processTag: string;
  readonly outputLimits: OutputLimits;
  readonly limits: Limits;
  readonly maxAttempts: number | undefined;
  readonly signal: AbortSignal | undefined;
}

export interface HeadlessProcessExit extends TurnExit {
  /** Processes that were still alive when the CLI had gone. */
  readonly processesLeft: number;
  /** Error reports that the CLI left in the temp folder. */
  readonly reportFiles: readonly string[];
}

/** A CLI at work: its output files, its clocks, and everything that may end it. */
export class HeadlessProcess {
  readonly #output: OutputFiles;
  /** What stderr had to say, to be taken into the stream of events. */
  readonly #statuses: SessionStatusEvent[] = [];
  readonly #request: HeadlessProcessRequest;
  readonly #tree: ProcessTree;
  readonly #treePoll: ProcessTreePoll;
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
    const { processTag } = request;
    // Told before there is a process: it is found by its marker until its pid is known.
    watchProcesses(processTag);
    let rootPid: number | undefined;
    try {
      const child = spawnCli(request);
      rootPid = child.pid;
      watchProcesses(processTag, rootPid);
      const { stdoutFile, stderrFile, outputLimits } = request;
      const output = await OutputFiles.open(stdoutFile, stderrFile, outputLimits);
      return new HeadlessProcess(request, child, output);
    } catch (error) {
      await killProcessTree(new ProcessTree({ tag: processTag, rootPid }));
      forgetProcesses(processTag);
      throw error;
    }
  }

  private constructor(
    request: HeadlessProcessRequest,
    child: ReturnType<typeof spawnCli>,
    output: OutputFiles,
  ) {
    this.#request = request;
    this.#output = output;
    this.#tree = new ProcessTree({ tag: request.processTag, rootPid: child.pid });
    const isTagged = tagProcess(child.pid, request.processTag);
    this.#treePoll = new ProcessTreePoll(this.#tree, isTagged);
    this.#deadlines = new Deadlines(request.limits, (phase, limitMs) => {
      this.#stop({ kind: 'timeout', phase, limitMs });
    });
    this.#watch = setInterval(() => this.#look(), WATCH_MS);
    this.#exited = new Promise((resolve) => {
      this.#onExit = (exit) => {
        // Also of one that we had given up waiting for.
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

  /** The next piece of stdout, if there is any by now. Valid until the next call. */
  read(): Promise<Buffer | undefined> {
    return this.#output.read();
  }

  /** Whether all output is there. Ask before the last read, not after it. */
  get hasExited(): boolean {
    return this.#exit !== undefined;
  }

  /** Waits until there may be more to read. */
  wait(): Promise<void> {
    return this.#alarm.wait(POLL_MS);
  }

  takeStatuses(): SessionStatusEvent[] {
    return this.#statuses.splice(0);
  }

  /** The CLI has reported for duty. */
  started(): void {
    this.#deadlines.started();
  }

  /** The result is there: from now on nothing can make a failure of it, but the process must still go. */
  finished(): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.#deadlines.stop();
    this.#output.decide();
    this.#linger = setTimeout(() => this.#helpAlong(), LINGER_MS);
  }

  /** Nobody wants the rest. */
  abandon(): void {
    if (!this.hasExited) this.#stop({ kind: 'cancelled' });
  }

  /** Waits for the end, and for the end of everything that the run has left behind. */
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
    const orphans = this.#termination === undefined ? this.#tree.living().length : 0;
    if (orphans > 0) this.#terminate();
    await this.#termination;
    await this.#watching;
    const { stderr, reportFiles } = await this.#output.conclude();
    this.#takeRetries();
    forgetProcesses(this.#request.processTag);
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
    this.#output.decide();
    this.#terminate();
  }

  #helpAlong(): void {
    if (this.hasExited) return;
    this.#hasLingered = true;
    this.#terminate();
  }

  #terminate(): void {
    this.#termination ??= killProcessTree(this.#tree).then((survivors) => {
      // Not even SIGKILL ends a process that hangs in the kernel: we do not wait for it.
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

  #look(): void {
    this.#treePoll.lookIfDue();
    this.#watching ??= this.#lookAtOutput()
      // Somebody has removed our files: the reader of stdout will say so.
      .catch(() => {})
      .finally(() => {
        this.#watching = undefined;
      });
  }

  async #lookAtOutput(): Promise<void> {
    const flood = this.#output.findFlood();
    if (flood !== undefined && this.#isFinished) this.#helpAlong();
    else if (flood !== undefined) this.#stop({ kind: 'flood', ...flood });
    if (await this.#output.look()) this.#deadlines.active();
    this.#takeRetries();
  }
}
