import { randomUUID } from 'node:crypto';
import type { Logger } from '../../api/logger.js';
import { isObject } from '../../base/json/is-object.js';
import { FileTail } from '../../base/process/file-tail.js';
import { killProcessTree } from '../../base/process/kill-process-tree.js';
import { ProcessTreePoll } from '../../base/process/poll-process-tree.js';
import {
  createPrivateDirectory,
  type PrivateDirectory,
} from '../../base/process/private-directory.js';
import { readMemoryMb } from '../../base/process/process-table.js';
import { ProcessTree } from '../../base/process/process-tree.js';
import { forgetProcesses, watchProcesses } from '../../base/process/reaper.js';
import { tagProcess } from '../../base/process/rlimit-tag.js';
import { type AgentChild, spawnAgent } from '../../base/process/spawn-agent.js';
import type { ProcessExit } from '../../base/process/spawn-cli.js';
import { settlesWithin } from '../../base/process/timing.js';
import { LogWatch } from '../gemini/log-watch.js';
import type { RetryNotice } from '../gemini/retry-notice.js';
import { StderrWatch } from '../gemini/stderr-watch.js';
import type { AgentConnection } from './agent-connection.js';
import type { Launch, LaunchDetails } from './launch.js';

const WATCH_MS = 100;
/** An agent that is told to go by the end of its input goes within a tenth of a second. */
const GOODBYE_MS = 1_500;

interface Parts {
  readonly id: string;
  readonly launch: Launch;
  readonly details: LaunchDetails;
  readonly directory: PrivateDirectory;
  readonly child: AgentChild;
  readonly stderrTail: FileTail;
  readonly connection: AgentConnection;
}

/** A living agent: its process, the connection to it, and everything that ends it. */
export class AgentProcess {
  readonly id: string;
  readonly launch: Launch;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly connection: AgentConnection;
  /** When the agent has introduced itself. Rejects with a `CallError`. */
  readonly ready: Promise<void>;
  readonly exited: Promise<ProcessExit>;
  readonly #directory: PrivateDirectory;
  readonly #child: AgentChild;
  readonly #stderrTail: FileTail;
  readonly #stderr: StderrWatch;
  readonly #log: LogWatch | undefined;
  readonly #tree: ProcessTree;
  readonly #treePoll: ProcessTreePoll;
  readonly #retryListeners = new Set<(notice: RetryNotice) => void>();
  #watch: NodeJS.Timeout | undefined;
  #reading: Promise<unknown> | undefined;
  #isReady = false;
  #hasFailed = false;
  #version: string | undefined;
  #exit: ProcessExit | undefined;
  #ending: Promise<void> | undefined;

  static async spawn(launch: Launch, logger: Logger): Promise<AgentProcess> {
    // Loaded here, and not with the package: the protocol's schemas take as long as the rest of it.
    const { AgentConnection } = await import('./agent-connection.js');
    const id = randomUUID();
    const directory = await createPrivateDirectory();
    try {
      const details = await launch.build(directory, id);
      const stderrFile = directory.file('stderr.txt');
      // Told before there is a process: it is found by its marker until its pid is known.
      watchProcesses(id);
      const child = spawnAgent({ command: launch.command, ...details, stderrFile });
      watchProcesses(id, child.pid);
      const stderrTail = await FileTail.open(stderrFile);
      const connection = new AgentConnection(child.stdin, child.stdout, logger);
      return new AgentProcess({ id, launch, details, directory, child, stderrTail, connection });
    } catch (error) {
      await killProcessTree(new ProcessTree({ tag: id }));
      forgetProcesses(id);
      await directory.remove();
      throw error;
    }
  }

  private constructor({ id, launch, details, directory, child, stderrTail, connection }: Parts) {
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
    // One of the two: what is in the log comes on stderr once more.
    this.#stderr = new StderrWatch(stderrTail, this.#log === undefined ? onRetry : () => {});
    this.#tree = new ProcessTree({ tag: id, rootPid: child.pid });
    this.#treePoll = new ProcessTreePoll(this.#tree, tagProcess(child.pid, id));
    this.connection = connection;
    this.exited = child.exited.then((exit) => {
      this.#exit = exit;
      return exit;
    });
    this.ready = this.#introduce();
    this.ready.catch(() => {
      this.#hasFailed = true;
    });
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** As it has told. */
  get version(): string | undefined {
    return this.#version;
  }

  /** Whether it can still be used: one that did not get through its introduction never can. */
  get isAlive(): boolean {
    return this.#exit === undefined && this.#ending === undefined && !this.#hasFailed;
  }

  /**
   * While somebody listens, stderr and log are read, where it says that a request is tried again, and the
   * process tree is polled.
   */
  listenForRetries(listener: (notice: RetryNotice) => void): () => void {
    this.#retryListeners.add(listener);
    this.#watch ??= setInterval(() => {
      this.#treePoll.lookIfDue();
      void this.#readStderr();
    }, WATCH_MS);
    return () => {
      this.#retryListeners.delete(listener);
      if (this.#retryListeners.size > 0) return;
      clearInterval(this.#watch);
      this.#watch = undefined;
    };
  }

  /** The last part of it. Other sessions may have had to do with it. */
  async readStderr(): Promise<string> {
    await this.#readStderr();
    return this.#stderr.text;
  }

  takeReportFiles(): string[] {
    return this.#stderr.reportFiles.splice(0);
  }

  memoryMb(): number | undefined {
    return this.#child.pid === undefined ? undefined : readMemoryMb(this.#child.pid);
  }

  keepAlive(isNeeded: boolean): void {
    this.#child.keepAlive(isNeeded);
  }

  /** Ends what shell commands have left running. They have groups of their own; MCP servers have not. */
  async sweep(): Promise<number> {
    const left = this.#tree.strayGroups();
    if (left.length > 0)
      await killProcessTree({ rootPid: undefined, living: () => this.#tree.strayGroups() });
    return left.length;
  }

  /** The end of its input first, then the signals; nothing of it is left in any case. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    this.keepAlive(true);
    this.#child.stdin.end();
    await settlesWithin(this.exited, GOODBYE_MS);
    await killProcessTree(this.#tree);
    await settlesWithin(this.exited, GOODBYE_MS);
    this.connection.close();
    this.#child.stdin.destroy();
    this.#child.stdout.destroy();
    await this.#readStderr();
    clearInterval(this.#watch);
    await this.#stderrTail.close();
    await this.#log?.close();
    forgetProcesses(this.id);
    await this.#directory.remove();
  }

  async #introduce(): Promise<void> {
    const { files, terminals } = this.launch.capabilities;
    const answer = await this.connection.call('initialize', {
      protocolVersion: this.connection.protocolVersion,
      clientCapabilities: {
        fs: { readTextFile: files, writeTextFile: files },
        terminal: terminals,
      },
    });
    if (this.launch.authMethod !== undefined) {
      await this.connection.call('authenticate', { methodId: this.launch.authMethod });
    }
    const info = isObject(answer) ? answer['agentInfo'] : undefined;
    const version = isObject(info) ? info['version'] : undefined;
    this.#version = typeof version === 'string' ? version : undefined;
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
