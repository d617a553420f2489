import { randomUUID } from 'node:crypto';
import type { AgentIdentity } from '../../api/agent-identity.js';
import type { Logger } from '../../api/logger.js';
import { FileTail } from '../../base/process/file-tail.js';
import { NO_ISOLATION } from '../../base/process/isolation.js';
import { killProcessTree } from '../../base/process/kill-process-tree.js';
import { ProcessTreePoll } from '../../base/process/poll-process-tree.js';
import {
  createPrivateDirectory,
  type PrivateDirectory,
} from '../../base/process/private-directory.js';
import type { ProcessExit } from '../../base/process/process-exit.js';
import { isStopped } from '../../base/process/process-table.js';
import { type AgentChild, spawnAgent } from '../../base/process/spawn-agent.js';
import { settlesWithin } from '../../base/process/timing.js';
import { WatchedTree } from '../../base/process/watched-tree.js';
import { LogWatch } from '../gemini/log-watch.js';
import type { RetryNotice } from '../gemini/retry-notice.js';
import { StderrWatch } from '../gemini/stderr-watch.js';
import type { AgentConnection } from './agent-connection.js';
import { introduce } from './introduce.js';
import type { Launch, LaunchDetails } from './launch.js';

const WATCH_MS = 100;
/** Time that an agent has to exit after its stdin was closed. Agents usually need a tenth of a second. */
const EXIT_GRACE_MS = 1_500;

interface Parts {
  readonly id: string;
  readonly launch: Launch;
  readonly details: LaunchDetails;
  readonly directory: PrivateDirectory;
  readonly tree: WatchedTree;
  readonly child: AgentChild;
  readonly stderrTail: FileTail;
  readonly connection: AgentConnection;
}

/** Running agent: its process, the connection to it, and the clean-up when it ends. */
export class AgentProcess {
  readonly id: string;
  readonly launch: Launch;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly connection: AgentConnection;
  /** Resolves when the ACP handshake is complete. Rejects with an `RpcCallError`. */
  readonly ready: Promise<void>;
  readonly exited: Promise<ProcessExit>;
  readonly #directory: PrivateDirectory;
  readonly #child: AgentChild;
  readonly #stderrTail: FileTail;
  readonly #stderr: StderrWatch;
  readonly #log: LogWatch | undefined;
  readonly #tree: WatchedTree;
  readonly #treePoll: ProcessTreePoll;
  readonly #retryListeners = new Set<(notice: RetryNotice) => void>();
  #watch: NodeJS.Timeout | undefined;
  #reading: Promise<unknown> | undefined;
  #isReady = false;
  #hasFailed = false;
  #identity: AgentIdentity = { capabilities: {} };
  #exit: ProcessExit | undefined;
  #ending: Promise<void> | undefined;
  #wasEnded = false;

  static async spawn(launch: Launch, logger: Logger): Promise<AgentProcess> {
    // Import the connection only when it is needed: the schemas of the SDK take as long to load as the whole package.
    const { AgentConnection } = await import('./agent-connection.js');
    const id = randomUUID();
    const directory = await createPrivateDirectory();
    const tree = new WatchedTree(id, launch.isolation ?? NO_ISOLATION);
    try {
      const details = await launch.build(directory, id);
      const stderrFile = directory.file('stderr.txt');
      const { launcher } = tree;
      const child = spawnAgent({ command: launch.command, ...details, stderrFile, launcher });
      tree.started(child.pid);
      const stderrTail = await FileTail.open(stderrFile);
      const connection = new AgentConnection(child.stdin, child.stdout, logger);
      return new AgentProcess({
        id,
        launch,
        details,
        directory,
        tree,
        child,
        stderrTail,
        connection,
      });
    } catch (error) {
      await tree.kill();
      tree.forget();
      await directory.remove();
      throw error;
    }
  }

  private constructor({
    id,
    launch,
    details,
    directory,
    tree,
    child,
    stderrTail,
    connection,
  }: Parts) {
    this.id = id;
    this.launch = launch;
    this.args = details.args;
    this.env = details.env;
    this.#directory = directory;
    this.#child = child;
    this.#stderrTail = stderrTail;
    const onRetry = (notice: RetryNotice): void => {
      for (const listener of this.#retryListeners) listener(notice);
    };
    this.#log = details.logFile === undefined ? undefined : new LogWatch(details.logFile, onRetry);
    // Read retry notices from one source only: stderr repeats the notices of the log.
    this.#stderr = new StderrWatch(stderrTail, this.#log === undefined ? onRetry : () => {});
    this.#tree = tree;
    this.#treePoll = new ProcessTreePoll(tree, tree.isHeld);
    this.connection = connection;
    this.exited = child.exited.then((exit) => {
      this.#exit = exit;
      this.#wasEnded = this.#ending !== undefined;
      return exit;
    });
    this.ready = this.#initialize();
    this.ready.catch(() => {
      this.#hasFailed = true;
    });
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** What the agent told of itself in its answer to `initialize`. Nothing until the handshake is complete. */
  get identity(): AgentIdentity {
    return this.#identity;
  }

  /** True if the process can take steps. False for good if the ACP handshake failed. */
  get isAlive(): boolean {
    return this.#exit === undefined && this.#ending === undefined && !this.#hasFailed;
  }

  /** True if this package ended the process: the signal of its exit then tells nothing. */
  get wasEnded(): boolean {
    return this.#wasEnded;
  }

  /** True if the process was stopped by a signal: it would not answer a step. */
  get isFrozen(): boolean {
    const pid = this.#tree.agentPid;
    return pid !== undefined && isStopped(pid);
  }

  /**
   * Calls the listener for each retry notice in stderr or in the log, and returns a function that removes the
   * listener. The files are read and the process tree is polled only while there are listeners.
   */
  listenForRetries(listener: (notice: RetryNotice) => void): () => void {
    this.#retryListeners.add(listener);
    this.#watch ??= setInterval(() => {
      this.#treePoll.pollIfDue();
      void this.#readStderr();
    }, WATCH_MS);
    return () => {
      this.#retryListeners.delete(listener);
      if (this.#retryListeners.size > 0) return;
      clearInterval(this.#watch);
      this.#watch = undefined;
    };
  }

  /** Returns the last part of stderr. It may contain output about other sessions. */
  async readStderr(): Promise<string> {
    await this.#readStderr();
    return this.#stderr.text;
  }

  takeReportFiles(): string[] {
    return this.#stderr.reportFiles.splice(0);
  }

  /** Process id of the agent. Undefined until it is known. */
  get pid(): number | undefined {
    return this.#tree.agentPid;
  }

  keepAlive(isNeeded: boolean): void {
    this.#child.keepAlive(isNeeded);
  }

  /**
   * Ends processes that shell commands left running, and returns their number. Shell commands have process groups of
   * their own. MCP servers have not, so they survive.
   */
  async sweep(): Promise<number> {
    const left = this.#tree.strayGroups();
    if (left.length > 0)
      await killProcessTree({ rootPid: undefined, living: () => this.#tree.strayGroups() });
    return left.length;
  }

  /** Closes stdin, then sends signals to the whole process tree, then removes the folder of the process. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    this.keepAlive(true);
    this.#child.stdin.end();
    await settlesWithin(this.exited, EXIT_GRACE_MS);
    await this.#tree.kill();
    await settlesWithin(this.exited, EXIT_GRACE_MS);
    this.connection.close();
    this.#child.stdin.destroy();
    this.#child.stdout.destroy();
    await this.#readStderr();
    clearInterval(this.#watch);
    await this.#stderrTail.close();
    await this.#log?.close();
    this.#tree.forget();
    await this.#directory.remove();
  }

  async #initialize(): Promise<void> {
    this.#identity = await introduce(this.connection, this.launch);
    this.#isReady = true;
  }

  async #readStderr(): Promise<void> {
    this.#reading ??= Promise.all([this.#stderr.read(), this.#log?.read()])
      .catch(() => {})
      .finally(() => {
        this.#reading = undefined;
      });
    await this.#reading;
  }
}
