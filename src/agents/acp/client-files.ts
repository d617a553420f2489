import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import type { ClientFileHooks } from '../../api/client-file-hooks.js';
import { hasErrno } from '../../base/errors/errno.js';
import { realpathOf, toSlashes } from '../../base/fs/paths.js';
import { isObject } from '../../base/json/is-object.js';
import { settlesWithin } from '../../base/process/timing.js';
import { InvalidParams } from './rpc-call.js';
import { readWorkspaceFile, writeWorkspaceFile } from './workspace-file.js';
import { assertInWorkspace } from './workspace-path.js';

/** Longest wait for a running write at the end of a step. */
const CLOSE_WAIT_MS = 500;

export interface ClientFilesOptions {
  readonly sessionId: string;
  readonly workingDir: string;
  readonly workspaceDirs: readonly string[];
  /** Throws if the file system of the workspace does not answer. */
  readonly assertReachable?: (() => Promise<void>) | undefined;
  readonly hooks: ClientFileHooks;
  /** True if a missing file is read as an empty file. */
  readonly showsMissingAsEmpty: boolean;
}

/**
 * Serves `fs/read_text_file` and `fs/write_text_file` for files of the workspace. Hooks may take their time, in which the
 * agent or its commands can replace folders by links: the path is resolved before and after, and must stay the same.
 */
export class ClientFiles {
  readonly #options: ClientFilesOptions;
  readonly #writing = new Set<Promise<void>>();
  readonly #withoutSpace = new Set<string>();
  #isClosed = false;

  constructor(options: ClientFilesOptions) {
    this.#options = options;
  }

  async read(params: unknown): Promise<{ content: string }> {
    const { path, line, limit } = isObject(params) ? params : {};
    await this.#options.assertReachable?.();
    const absolutePath = assertInWorkspace(path, this.#options.workspaceDirs);
    const realPath = realpathOf(absolutePath);
    const read = this.#describe(absolutePath);
    const isAllowed = (await this.#options.hooks.beforeRead?.(read)) ?? true;
    if (!isAllowed)
      throw new Error(`Reading ${read.path} is not allowed by \`clientFiles.beforeRead\``);
    this.#checkAgain(absolutePath, realPath);
    return { content: cut(await this.#readText(realPath), line, limit) };
  }

  async write(params: unknown): Promise<object> {
    const { path, content } = isObject(params) ? params : {};
    await this.#options.assertReachable?.();
    const absolutePath = assertInWorkspace(path, this.#options.workspaceDirs);
    if (typeof content !== 'string')
      throw new InvalidParams('The field `content` must be a string');
    const realPath = realpathOf(absolutePath);
    const write = { ...this.#describe(absolutePath), content };
    const isAllowed = (await this.#options.hooks.beforeWrite?.(write)) ?? true;
    if (!isAllowed)
      throw new Error(`Writing ${write.path} is not allowed by \`clientFiles.beforeWrite\``);
    this.#checkAgain(absolutePath, realPath);
    const writing = writeWorkspaceFile(realPath, content);
    this.#writing.add(writing);
    await writing
      .finally(() => this.#writing.delete(writing))
      .catch((error: unknown) => {
        if (hasErrno(error, 'ENOSPC', 'EDQUOT')) this.#withoutSpace.add(write.path);
        throw error;
      });
    this.#withoutSpace.delete(write.path);
    return {};
  }

  /** Files that could not be written because the disk is full, and were not written later. */
  get withoutSpace(): readonly string[] {
    return [...this.#withoutSpace];
  }

  /** Refuses all further requests and waits for running writes: no file may change after the manifest is made. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await settlesWithin(Promise.allSettled(this.#writing), CLOSE_WAIT_MS);
  }

  #checkAgain(absolutePath: string, realPath: string): void {
    if (this.#isClosed) throw new Error('The step is over');
    assertInWorkspace(absolutePath, this.#options.workspaceDirs);
    if (realpathOf(absolutePath) !== realPath)
      throw new Error(`${absolutePath} was replaced by a link while the request was checked`);
  }

  async #readText(path: string): Promise<string> {
    const isMissing = this.#options.showsMissingAsEmpty && !existsSync(path);
    return isMissing ? '' : readWorkspaceFile(path);
  }

  #describe(absolutePath: string) {
    const { sessionId, workingDir } = this.#options;
    return { sessionId, absolutePath, path: toSlashes(relative(workingDir, absolutePath)) };
  }
}

/** Returns `limit` lines from the line `line` on, which counts from 1. */
function cut(text: string, line: unknown, limit: unknown): string {
  if (typeof line !== 'number' && typeof limit !== 'number') return text;
  const start = typeof line === 'number' ? Math.max(line - 1, 0) : 0;
  const end = typeof limit === 'number' ? start + limit : undefined;
  return text.split('\n').slice(start, end).join('\n');
}
