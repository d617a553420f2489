import { resolve } from 'node:path';
import { ProviderError } from '../../base/errors/provider-error.js';
import { readPromptFile } from '../../step/prompt/read-prompt-file.js';
import {
  kindOfStdin,
  readStdin,
  STDIN_NAME,
  type Stdin,
  type StdinRequest,
} from '../read-stdin.js';

export interface PromptFlags {
  readonly promptFile?: string;
  /** True with `--stdin`, false with `--no-stdin`. */
  readonly stdin?: boolean;
}

/** Time for the first byte on a socket, which may stay silent for ever. */
const PATIENCE_MS = 1_000;

/** Prompt of a step: a text, or a file that the step reads itself. */
export interface GivenPrompt {
  readonly text: string;
  readonly promptFile?: string;
}

/**
 * Reads the prompt of `run` from the argument, a file or stdin. What comes on stdin is added to an argument or a file:
 * `git diff | gemini-cli-provider run "Review this"`.
 */
export async function readPrompt(
  argument: string | undefined,
  flags: PromptFlags,
  stdin: Stdin,
  request: Pick<StdinRequest, 'signal' | 'say'>,
): Promise<GivenPrompt> {
  const { promptFile } = flags;
  if (argument !== undefined && promptFile !== undefined) throw twoPrompts();
  const given = argument ?? promptFile;
  if (given === undefined && flags.stdin === false) throw noPrompt();
  if (given === undefined || given === STDIN_NAME) {
    return { text: await readStdin(stdin, { ...request, what: 'the prompt' }) };
  }
  const added = await readAdded(stdin, flags, request);
  if (added.trim() !== '') {
    const text = argument ?? readPromptFile(resolve(given));
    return { text: `${text.trimEnd()}\n\n<stdin>\n${added.replace(/\n$/, '')}\n</stdin>` };
  }
  return argument === undefined ? { text: '', promptFile: resolve(given) } : { text: argument };
}

async function readAdded(
  stdin: Stdin,
  flags: PromptFlags,
  request: Pick<StdinRequest, 'signal' | 'say'>,
): Promise<string> {
  const kind = flags.stdin === true ? 'text' : kindOfStdin(stdin);
  if (flags.stdin === false || kind === 'none') return '';
  const reason = 'its text is added to the prompt. Without a text, give --no-stdin or < /dev/null';
  const limit = kind === 'socket' ? { firstByteMs: PATIENCE_MS } : {};
  return readStdin(stdin, { ...request, ...limit, what: 'an addition to the prompt', reason });
}

function twoPrompts(): ProviderError {
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: 'Two prompts were given: an argument and --prompt-file',
    hint: 'Give either the argument or --prompt-file.',
  });
}

function noPrompt(): ProviderError {
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: 'No prompt was given',
    hint: 'Give the prompt as an argument or with --prompt-file, or leave out --no-stdin.',
  });
}
