import { randomUUID } from 'node:crypto';
import type { TerminalEvent } from '../../api/progress-event.js';
import type { TerminalResult } from '../../api/tool-event.js';
import { isObject } from '../../base/json/is-object.js';
import type { TreeIsolation } from '../../base/process/isolation.js';
import type { ProcessExit } from '../../base/process/process-exit.js';
import { spawnTerminal, type TerminalChild } from '../../base/process/spawn-terminal.js';
import { toList } from './acp-wire.js';
import { InvalidParams } from './rpc-call.js';
import { readTerminalVariables } from './terminal-environment.js';
import { assertInWorkspace } from './workspace-path.js';

const DEFAULT_OUTPUT_BYTES = 1024 * 1024;
/** Exit code of a shell for a command that is not found. */
const NOT_FOUND = 127;
/** Highest number of released terminals whose output is kept. */
const MOST_RELEASED = 20;

export interface ClientTerminalsOptions {
  readonly workingDir: string;
  readonly workspaceDirs: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly isolation?: TreeIsolation | undefined;
  /** Throws if the rules forbid the command. */
  readonly check: (command: string) => Promise<void>;
  /** Called with the names of variables that the agent has set and the command does not get. */
  readonly onIgnored: (names: readonly string[]) => void;
  readonly onEvent: (event: TerminalEvent) => void;
}

interface Terminal {
  readonly command: string;
  readonly child: TerminalChild;
  readonly limit: number;
  output: Buffer;
  isTruncated: boolean;
  exit: ProcessExit | undefined;
}

/** Serves `terminal/*`: runs commands for the agent. */
export class ClientTerminals {
  readonly #options: ClientTerminalsOptions;
  readonly #terminals = new Map<string, Terminal>();
  /** Terminals that the agent has released. Their output may be the content of a tool call that ends later. */
  readonly #released = new Map<string, TerminalResult>();

  constructor(options: ClientTerminalsOptions) {
    this.#options = options;
  }

  async create(params: unknown): Promise<{ terminalId: string }> {
    const { command, args, cwd, env, outputByteLimit } = isObject(params) ? params : {};
    if (typeof command !== 'string' || command === '')
      throw new InvalidParams('The field `command` must be a non-empty string');
    const argv = toList(args).map(String);
    const { workingDir, workspaceDirs } = this.#options;
    const folder = cwd === undefined || cwd === null ? workingDir : cwd;
    const directory = assertInWorkspace(folder, workspaceDirs);
    const line = [command, ...argv].join(' ');
    await this.#options.check(line);
    const { variables, ignored } = readTerminalVariables(env);
    if (ignored.length > 0) this.#options.onIgnored(ignored);
    const terminalId = randomUUID();
    const terminal: Terminal = {
      command: line,
      child: spawnTerminal({
        processTag: terminalId,
        ...toProgram(command, argv),
        cwd: directory,
        env: { ...this.#options.env, ...variables },
        onOutput: (chunk) => append(terminal, chunk),
        isolation: this.#options.isolation,
      }),
      limit: typeof outputByteLimit === 'number' ? outputByteLimit : DEFAULT_OUTPUT_BYTES,
      output: Buffer.alloc(0),
      isTruncated: false,
      exit: undefined,
    };
    void terminal.child.exited.then((exit) => {
      terminal.exit = exit;
      this.#report(terminalId, terminal, 'exited');
    });
    this.#terminals.set(terminalId, terminal);
    this.#report(terminalId, terminal, 'started');
    return { terminalId };
  }

  output(params: unknown): object {
    const { output, isTruncated, exit } = this.#find(params);
    return {
      output: output.toString('utf8'),
      truncated: isTruncated,
      ...(exit === undefined ? {} : { exitStatus: toStatus(exit) }),
    };
  }

  async waitForExit(params: unknown): Promise<object> {
    return toStatus(await this.#find(params).child.exited);
  }

  async kill(params: unknown): Promise<object> {
    await this.#find(params).child.kill();
    return {};
  }

  async release(params: unknown): Promise<object> {
    const terminal = this.#find(params);
    await terminal.child.kill();
    if (isObject(params)) this.#forget(String(params['terminalId']), terminal);
    return {};
  }

  async releaseAll(): Promise<void> {
    await Promise.all([...this.#terminals.values()].map(({ child }) => child.kill()));
    this.#terminals.clear();
  }

  /** Returns output and exit so far of a terminal, also of one that the agent has released. */
  resultOf(terminalId: string): TerminalResult | undefined {
    const terminal = this.#terminals.get(terminalId);
    return terminal === undefined ? this.#released.get(terminalId) : describeResult(terminal);
  }

  #report(terminalId: string, terminal: Terminal, state: TerminalEvent['state']): void {
    const { command } = terminal;
    const result = state === 'exited' ? { result: describeResult(terminal) } : {};
    this.#options.onEvent({ type: 'terminal', terminalId, state, command, ...result });
  }

  #forget(terminalId: string, terminal: Terminal): void {
    this.#terminals.delete(terminalId);
    this.#released.set(terminalId, describeResult(terminal));
    const [oldest] = this.#released.keys();
    if (this.#released.size > MOST_RELEASED && oldest !== undefined) this.#released.delete(oldest);
  }

  #find(params: unknown): Terminal {
    const id = isObject(params) ? params['terminalId'] : undefined;
    const terminal = typeof id === 'string' ? this.#terminals.get(id) : undefined;
    if (terminal === undefined) throw new InvalidParams(`Terminal ${String(id)} does not exist`);
    return terminal;
  }
}

/**
 * Maps a command to a program and its arguments. Agents may send a whole command line as `command`, without
 * arguments.
 */
function toProgram(command: string, args: readonly string[]) {
  if (args.length > 0 || !/\s/.test(command)) return { command, args };
  return process.platform === 'win32'
    ? { command: 'cmd.exe', args: ['/d', '/s', '/c', command] }
    : { command: '/bin/sh', args: ['-c', command] };
}

/** Appends output and keeps its end. The protocol wants the cut at the start of a character. */
function append(terminal: Terminal, chunk: Buffer): void {
  const all = Buffer.concat([terminal.output, chunk]);
  if (all.length <= terminal.limit) {
    terminal.output = all;
    return;
  }
  terminal.isTruncated = true;
  let start = all.length - terminal.limit;
  while (start < all.length && isContinuation(all[start])) start++;
  terminal.output = all.subarray(start);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;
}

function describeResult({ output, isTruncated, exit }: Terminal): TerminalResult {
  const { exitCode, signal, spawnErrno } = exit ?? {};
  return {
    output: output.toString('utf8'),
    isTruncated,
    exitCode: spawnErrno === undefined ? exitCode : NOT_FOUND,
    signal,
  };
}

function toStatus({ exitCode, signal, spawnErrno }: ProcessExit): object {
  const code = spawnErrno === undefined ? exitCode : NOT_FOUND;
  return { exitCode: code ?? null, signal: signal ?? null };
}
