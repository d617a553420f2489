import { writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { PromptDelivery, SystemPrompt } from '../config/provider-config.js';
import type { RunWarning } from '../contract/result.js';
import { ProviderError } from '../errors/provider-error.js';
import { isInside } from '../workspace/paths.js';
import { createAtTargets } from './at-targets.js';
import { checkPrompt } from './check-prompt.js';
import { createPace } from './pace.js';
import { protectAtWords, protectStart } from './protect-prompt.js';
import { checkPromptFile, readPromptFile } from './read-prompt-file.js';

export interface PromptRequest {
  readonly prompt: string;
  readonly promptFile: string | undefined;
  readonly delivery: PromptDelivery;
  readonly expandAt: boolean;
  readonly systemPrompt: Exclude<SystemPrompt, string> | undefined;
  readonly inSandbox: boolean;
  readonly workingDir: string;
  /** All folders of the workspace, the working directory first. */
  readonly workspaceDirs: readonly string[];
  /** The CLI's `.gemini` folder. */
  readonly geminiHome: string;
  /** Where a prompt without a file is written, if the CLI is to read it from one. */
  readonly privateFile: (name: string) => string;
  /** Stops the preparation, which takes its time where many words meet many files. */
  readonly signal?: AbortSignal | undefined;
}

export interface PreparedPrompt {
  /** What goes to stdin. */
  readonly text: string;
  readonly warnings: readonly RunWarning[];
  /** Folders that the CLI must be able to read beside the workspace. */
  readonly moreDirectories: readonly string[];
  /** For GEMINI_SYSTEM_MD. */
  readonly systemPromptFile: string | undefined;
}

/** Turns what the author wrote into what stdin gets, and says what had to be changed. */
export async function preparePrompt(request: PromptRequest): Promise<PreparedPrompt> {
  const systemPromptFile = await prepareSystemPromptFile(request);
  const { text, moreDirectories } = await choosePrompt(request);
  if (request.expandAt) {
    checkPrompt(text, request.inSandbox);
    return { text, warnings: [], moreDirectories, systemPromptFile };
  }
  checkPrompt(text, false);
  const workspaceDirs = [...request.workspaceDirs, ...moreDirectories];
  const pace = createPace(request.signal);
  pace.check();
  const targets = createAtTargets(workspaceDirs, request.geminiHome, pace);
  const start = protectStart(text, request.inSandbox);
  const words = await protectAtWords(start.text, targets, pace);
  checkPrompt(words.text, request.inSandbox);
  const warnings = [...start.warnings, ...words.warnings];
  return { text: words.text, warnings, moreDirectories, systemPromptFile };
}

async function choosePrompt(
  request: PromptRequest,
): Promise<{ text: string; moreDirectories: readonly string[] }> {
  const file = request.promptFile && resolve(request.workingDir, request.promptFile);
  const before = readPrependedText(request);
  if (request.delivery !== 'file') {
    const prompt = file === undefined ? request.prompt : readPromptFile(file);
    return { text: before + prompt, moreDirectories: [] };
  }
  const path = file ?? (await writePrivateFile(request, 'prompt.md', request.prompt));
  checkPromptFile(path);
  const isReadable = request.workspaceDirs.some((dir) => isInside(dir, path));
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

async function prepareSystemPromptFile(request: PromptRequest): Promise<string | undefined> {
  const { systemPrompt } = request;
  if (systemPrompt?.mode !== 'replace') return undefined;
  if ('text' in systemPrompt) return writePrivateFile(request, 'system.md', systemPrompt.text);
  const file = resolve(request.workingDir, systemPrompt.file);
  readPromptFile(file, 'System prompt file');
  return file;
}

function readPrependedText({ systemPrompt, workingDir }: PromptRequest): string {
  if (systemPrompt?.mode !== 'prepend') return '';
  const text =
    'text' in systemPrompt
      ? systemPrompt.text
      : readPromptFile(resolve(workingDir, systemPrompt.file), 'System prompt file');
  return `${text}\n\n`;
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
