import type { AgentEvent } from '../../api/agent-event.js';
import type { TerminalResult } from '../../api/tool-event.js';
import { isObject } from '../../base/json/is-object.js';
import type { ResolvedConfig } from '../../config/resolve-config.js';
import type { ResolvedStep } from '../resolve-step.js';
import { ClientFiles } from './client-files.js';
import { ClientTerminals } from './client-terminals.js';
import type { AgentProfile } from './profile.js';
import { UnknownMethod } from './rpc-call.js';

export interface ClientServicesOptions
  extends Pick<
    ResolvedStep,
    'workingDir' | 'workspaceDirs' | 'env' | 'logger' | 'isolation' | 'assertReachable'
  > {
  readonly config: Pick<ResolvedConfig, 'clientFiles' | 'clientTerminals'>;
  readonly sessionId: string;
  readonly profile: AgentProfile;
  readonly onEvent: (event: AgentEvent) => void;
  /** Throws if the rules forbid the command. */
  readonly checkCommand: (command: string) => Promise<void>;
  /** Throws if the rules forbid to write the file. */
  readonly checkWrite: (path: string) => Promise<void>;
}

/** Files and terminals that this package offers to an agent for one turn, as far as the caller has turned them on. */
export class ClientServices {
  readonly #options: ClientServicesOptions;
  readonly #files: ClientFiles | undefined;
  readonly #terminals: ClientTerminals | undefined;

  constructor(options: ClientServicesOptions) {
    this.#options = options;
    const { config, profile, logger, checkCommand: check } = options;
    if (config.clientFiles !== false) {
      const showsMissingAsEmpty = profile.takesMissingFileForError;
      this.#files = new ClientFiles({ ...options, hooks: config.clientFiles, showsMissingAsEmpty });
    }
    if (config.clientTerminals) {
      const onIgnored = (names: readonly string[]): void =>
        logger.warn({ names }, 'Variables that the agent has set for a command are ignored');
      this.#terminals = new ClientTerminals({ ...options, check, onIgnored });
    }
  }

  /** True if the agent may read and write files through this package. */
  get servesFiles(): boolean {
    return this.#files !== undefined;
  }

  /** Files that this process could not write for the agent because the disk is full. */
  get withoutSpace(): readonly string[] {
    return this.#files?.withoutSpace ?? [];
  }

  /** Returns output and exit of a terminal of this turn. */
  terminalResult(terminalId: string): TerminalResult | undefined {
    return this.#terminals?.resultOf(terminalId);
  }

  async handle(method: string, params: unknown): Promise<unknown> {
    switch (method) {
      case 'fs/read_text_file':
        return this.#access('read', serve(this.#files, method).read(params), params);
      case 'fs/write_text_file':
        return this.#access('write', this.#write(serve(this.#files, method), params), params);
      case 'terminal/create':
        return serve(this.#terminals, method).create(params);
      case 'terminal/output':
        return serve(this.#terminals, method).output(params);
      case 'terminal/wait_for_exit':
        return serve(this.#terminals, method).waitForExit(params);
      case 'terminal/kill':
        return serve(this.#terminals, method).kill(params);
      case 'terminal/release':
        return serve(this.#terminals, method).release(params);
      default:
        throw new UnknownMethod(method);
    }
  }

  /** Refuses further requests, and ends all commands. */
  async close(): Promise<void> {
    await Promise.all([this.#files?.close(), this.#terminals?.releaseAll()]);
  }

  /** Writes a file for the agent if the rules allow it, also for an agent that does not ask for permissions. */
  async #write(files: ClientFiles, params: unknown): Promise<object> {
    const path = pathOf(params);
    if (path !== undefined) await this.#options.checkWrite(path);
    return files.write(params);
  }

  /** Reports an access after its success. */
  async #access<T>(access: 'read' | 'write', work: Promise<T>, params: unknown): Promise<T> {
    const answer = await work;
    const path = pathOf(params);
    if (path !== undefined) this.#options.onEvent({ type: 'file-access', access, path });
    return answer;
  }
}

function pathOf(params: unknown): string | undefined {
  const path = isObject(params) ? params['path'] : undefined;
  return typeof path === 'string' ? path : undefined;
}

function serve<T>(service: T | undefined, method: string): T {
  if (service === undefined) throw new UnknownMethod(method);
  return service;
}
