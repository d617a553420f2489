import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { PreparedPrompt } from '../../agents/driver.js';
import type { PromptDelivery, SystemPrompt } from '../../api/provider-config.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { isInside } from '../../base/fs/paths.js';
import { openRegularFile } from '../../base/fs/regular-file.js';
import { createEventLoopYield } from '../../base/process/yield-to-event-loop.js';
import { assertOnePrompt } from './assert-one-prompt.js';
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
  /** Prompt as the caller gave it: callers in JavaScript may pass any type. */
  readonly prompt: unknown;
  readonly promptFile: string | undefined;
  readonly delivery: PromptDelivery;
  readonly expandAt: boolean;
  readonly systemPrompt: Exclude<SystemPrompt, string> | undefined;
  readonly inSandbox: boolean;
  readonly workingDir: string;
  /** All folders of the workspace, the working directory first. */
  readonly workspaceDirs: readonly string[];
  /** The `.gemini` folder of the Gemini CLI; undefined for another agent. */
  readonly geminiHome: string | undefined;
  /** Returns the path of a private file, for a prompt that the model is to read from a file but that has none. */
  readonly privateFile: (name: string) => string;
  /** Stops the preparation, which is slow for a prompt with many `@` words in a large workspace. */
  readonly signal?: AbortSignal | undefined;
  /** Protects a prompt that is sent as an ACP message. Messages have no size limit, and `@` has no meaning in them. */
  readonly protectMessage?: ((text: string) => ProtectedPrompt) | undefined;
}

/** Turns the prompt of the caller into the text for the agent. Each change to it is a warning. */
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
  const file = request.promptFile ? resolve(request.workingDir, request.promptFile) : undefined;
  const before = readPrependedText(request);
  const given = readGivenPrompt(request.prompt, file !== undefined);
  assertOnePrompt(given, file);
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
      message: `Prompt file ${path} is in a folder with a comma in its path, and the CLI splits its list of folders at commas`,
      hint: 'Move the file, or set promptDelivery: "stdin".',
    });
  }
  return {
    text: `${before}Process the prompt in ${path}`,
    moreDirectories: isReadable ? [] : [dirname(path)],
  };
}

/**
 * True if the model reads the prompt from a file. With ACP this needs a file in the workspace: the folders belong to a
 * process that serves many steps, so a folder for one step cannot be added.
 */
function isLeftToModel(request: PromptRequest, file: string | undefined): boolean {
  if (request.delivery !== 'file') return false;
  if (request.protectMessage === undefined) return true;
  return file !== undefined && isInWorkspace(request, file);
}

function isInWorkspace({ workspaceDirs }: PromptRequest, path: string): boolean {
  return workspaceDirs.some((dir) => isInside(dir, path));
}

/** Copies a file whose path has an `@`: in the prompt the CLI would expand it, and an escaped path does not exist. */
async function toNameableFile(request: PromptRequest, file: string): Promise<string> {
  if (request.protectMessage !== undefined || !file.includes('@')) return file;
  checkPromptFile(file);
  const path = request.privateFile('prompt.md');
  const source = await openRegularFile(file);
  const { signal } = request;
  const target = createWriteStream(path, { mode: 0o600 });
  await pipeline(source.createReadStream(), target, signal === undefined ? {} : { signal });
  return path;
}

/** Throws for a prompt that is no string: the model would get "undefined" or "[object Object]". */
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
