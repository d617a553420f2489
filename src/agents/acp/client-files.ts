import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import type { ClientFileHooks } from '../../api/client-file-hooks.js';
import { toSlashes } from '../../base/fs/paths.js';
import { isObject } from '../../base/json/is-object.js';
import { assertInWorkspace } from './workspace-path.js';

export interface ClientFilesOptions {
  readonly sessionId: string;
  readonly workingDir: string;
  readonly workspaceDirs: readonly string[];
  readonly hooks: ClientFileHooks;
  /** True if a missing file is read as an empty file. */
  readonly showsMissingAsEmpty: boolean;
}

/** Serves `fs/read_text_file` and `fs/write_text_file` for files of the workspace. */
export class ClientFiles {
  readonly #options: ClientFilesOptions;

  constructor(options: ClientFilesOptions) {
    this.#options = options;
  }

  async read(params: unknown): Promise<{ content: string }> {
    const { path, line, limit } = isObject(params) ? params : {};
    const absolutePath = assertInWorkspace(path, this.#options.workspaceDirs);
    const read = this.#describe(absolutePath);
    const isAllowed = (await this.#options.hooks.beforeRead?.(read)) ?? true;
    if (!isAllowed)
      throw new Error(`Reading ${read.path} is not allowed by \`clientFiles.beforeRead\``);
    return { content: cut(await this.#readText(absolutePath), line, limit) };
  }

  async write(params: unknown): Promise<object> {
    const { path, content } = isObject(params) ? params : {};
    const absolutePath = assertInWorkspace(path, this.#options.workspaceDirs);
    if (typeof content !== 'string') throw new Error('The field `content` must be a string');
    const write = { ...this.#describe(absolutePath), content };
    const isAllowed = (await this.#options.hooks.beforeWrite?.(write)) ?? true;
    if (!isAllowed)
      throw new Error(`Writing ${write.path} is not allowed by \`clientFiles.beforeWrite\``);
    await mkdir(dirname(absolutePath), { recursive: true });
    await writeFile(absolutePath, content);
    return {};
  }

  async #readText(path: string): Promise<string> {
    const isMissing = this.#options.showsMissingAsEmpty && !existsSync(path);
    return isMissing ? '' : readFile(path, 'utf8');
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
