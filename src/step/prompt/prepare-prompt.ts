import { chmod, copyFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { PreparedPrompt } from '../../agents/driver.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { isInside } from '../../base/fs/paths.js';
import { createEventLoopYield } from '../../base/process/yield-to-event-loop.js';
import type { PromptDelivery, SystemPrompt } from '../../config/provider-config.js';
import { createAtTargets } from './at-targets.js';
import {
  checkCharacters,
  checkPrompt,
  MAX_MESSAGE_BYTES,
  MAX_PROMPT_BYTES,
} from './check-prompt.js';
import { type ProtectedPrompt, protectAtWords, protectStart } from './protect-prompt.js';
import { checkPromptFile, readPromptFile } from './read-prompt-file.js';

export interface PromptRequest {
  /** As the caller gave it, and not every caller is compiled. */
  readonly prompt: unknown;
  readonly promptFile: string | undefined;
  readonly delivery: PromptDelivery;
  readonly expandAt: boolean;
  readonly systemPrompt: Exclude<SystemPrompt, string> | undefined;
  readonly inSandbox: boolean;
  readonly workingDir: string;
  /** All folders of the workspace, the working directory first. */
  readonly workspaceDirs: readonly string[];
  /** The CLI's `.gemini` folder, where it is the Gemini CLI. */
  readonly geminiHome: string | undefined;
  /** Where a prompt is written that the model is to read and that has no file it could be told of. */
  readonly privateFile: (name: string) => string;
  /** Stops the preparation, which takes its time where many words meet many files. */
  readonly signal?: AbortSignal | undefined;
  /** The agent's own way of protecting a prompt that comes as a message. It has no limit, and `@` is nothing to it. */
  readonly protectMessage?: ((text: string) => ProtectedPrompt) | undefined;
}

/** Turns what the author wrote into what stdin gets, and says what had to be changed. */
export async function preparePrompt(request: PromptRequest): Promise<PreparedPrompt> {
  request.signal?.throwIfAborted();
  const systemPromptFile = await prepareSystemPromptFile(request);
  const { text, moreDirectories } = await choosePrompt(request);
  if (request.protectMessage !== undefined) {
    checkCharacters(text);
    return { ...request.protectMessage(text), moreDirectories, systemPromptFile };
  }
  if (request.expandAt) {
    checkPrompt(text, request.inSandbox);
    return { text, warnings: [], moreDirectories, systemPromptFile };
  }
  checkPrompt(text, false);
  const workspaceDirs = [...request.workspaceDirs, ...moreDirectories];
  const eventLoop = createEventLoopYield({ signal: request.signal });
  const targets = createAtTargets(workspaceDirs, request.geminiHome, eventLoop);
  const start = protectStart(text, request.inSandbox);
  const words = await protectAtWords(start.text, targets, eventLoop);
  checkPrompt(words.text, request.inSandbox);
  const warnings = [...start.warnings, ...words.warnings];
  return { text: words.text, warnings, moreDirectories, systemPromptFile };
}

async function choosePrompt(
  request: PromptRequest,
): Promise<{ text: string; moreDirectories: readonly string[] }> {
  const file = request.promptFile && resolve(request.workingDir, request.promptFile);
  const before = readPrependedText(request);
  const given = readGivenPrompt(request.prompt, file !== undefined);
  if (!isLeftToModel(request, file)) {
    const prompt = file === undefined ? given : readWhole(request, file, 'Prompt file');
    return { text: before + prompt, moreDirectories: [] };
  }
  const path = await (file === undefined
    ? writePrivateFile(request, 'prompt.md', given)
    : toNameableFile(request, file));
  checkPromptFile(path);
  const isReadable = isInWorkspace(request, path);
  if (!isReadable && dirname(path).includes(',')) {
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: `Prompt file ${path} lies in a folder with a comma in its path, which the CLI cannot be given`,
      hint: 'Move the file, or set promptDelivery: "stdin".',
    });
  }
  return {
    text: `${before}Process the prompt in ${path}`,
    moreDirectories: isReadable ? [] : [dirname(path)],
  };
}

/** Folders belong to a process that serves many messages: a file of this step alone cannot be added to them. */
function isLeftToModel(request: PromptRequest, file: string | undefined): boolean {
  if (request.delivery !== 'file') return false;
  if (request.protectMessage === undefined) return true;
  return file !== undefined && isInWorkspace(request, file);
}

function isInWorkspace({ workspaceDirs }: PromptRequest, path: string): boolean {
  return workspaceDirs.some((dir) => isInside(dir, path));
}

/** An `@` in our own sentence would be expanded by the CLI, or escaped into a path that does not exist. */
async function toNameableFile(request: PromptRequest, file: string): Promise<string> {
  if (request.protectMessage !== undefined || !file.includes('@')) return file;
  checkPromptFile(file);
  const path = request.privateFile('prompt.md');
  await copyFile(file, path);
  await chmod(path, 0o600);
  return path;
}

/** What is no text would reach the model as "undefined" or "[object Object]". */
function readGivenPrompt(prompt: unknown, hasFile: boolean): string {
  if (typeof prompt === 'string') return prompt;
  if (hasFile && (prompt === undefined || prompt === null)) return '';
  throw new ProviderError({
    code: 'INVALID_INPUT',
    message: `The prompt must be a string, not ${prompt === null ? 'null' : typeof prompt}`,
    hint: 'Give a string, or name a file in context.promptFile.',
  });
}

async function prepareSystemPromptFile(request: PromptRequest): Promise<string | undefined> {
  const { systemPrompt } = request;
  if (systemPrompt?.mode !== 'replace') return undefined;
  if ('text' in systemPrompt) return writePrivateFile(request, 'system.md', systemPrompt.text);
  const file = resolve(request.workingDir, systemPrompt.file);
  readPromptFile(file, 'System prompt file');
  return file;
}

function readPrependedText(request: PromptRequest): string {
  const { systemPrompt, workingDir } = request;
  if (systemPrompt?.mode !== 'prepend') return '';
  const text =
    'text' in systemPrompt
      ? systemPrompt.text
      : readWhole(request, resolve(workingDir, systemPrompt.file), 'System prompt file');
  return `${text}\n\n`;
}

function readWhole({ protectMessage }: PromptRequest, path: string, what: string): string {
  return readPromptFile(
    path,
    what,
    protectMessage === undefined ? MAX_PROMPT_BYTES : MAX_MESSAGE_BYTES,
  );
}

async function writePrivateFile(
  request: PromptRequest,
  name: string,
  text: string,
): Promise<string> {
  const path = request.privateFile(name);
  await writeFile(path, text, { mode: 0o600 });
  return path;
}
