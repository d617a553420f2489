import type { StepWarning } from '../../api/result.js';
import {
  createEventLoopYield,
  type EventLoopYield,
} from '../../base/process/yield-to-event-loop.js';
import type { AtTargets } from './at-targets.js';
import { findAtWord } from './at-words.js';

const SHOWN_WORDS = 5;

export interface ProtectedPrompt {
  readonly text: string;
  readonly warnings: readonly StepWarning[];
}

/**
 * Puts a newline before a prompt that starts with `/`, because the CLI would run it as one of its commands (except for
 * `//` and `/*`). In a sandbox the prompt becomes the value of a flag, so a leading `-` gets a newline too.
 */
export function protectStart(text: string, inSandbox: boolean): ProtectedPrompt {
  const isCommand = /^\/(?![/*])/.test(text);
  const isFlag = inSandbox && text.startsWith('-');
  if (!isCommand && !isFlag) return { text, warnings: [] };
  const reason = isCommand
    ? 'it starts with "/", and the CLI would run it as a command'
    : 'it starts with "-", and in a sandbox the prompt is the value of a flag';
  const message = `A newline was put before the prompt: ${reason}.`;
  return { text: `\n${text}`, warnings: [{ code: 'PROMPT_CHANGED', message }] };
}

/** Puts a backslash before each `@` that the CLI would replace by a file, a folder or an agent. */
export async function protectAtWords(
  text: string,
  targets: AtTargets,
  eventLoop: EventLoopYield = createEventLoopYield(),
): Promise<ProtectedPrompt> {
  const pieces: string[] = [];
  const changed: string[] = [];
  let copied = 0;
  for (let from = 0; ; ) {
    const word = findAtWord(text, from);
    if (word === undefined) break;
    await eventLoop.spend(word.end - from);
    if (await targets.matches(word.path)) {
      pieces.push(text.slice(copied, word.index), '\\');
      copied = word.index;
      changed.push(`@${word.path}`);
      // After an escaped `@` the CLI continues with the next character, so a second `@` in the same word counts.
      from = word.index + 1;
    } else {
      from = word.end;
    }
  }
  if (changed.length === 0) return { text, warnings: [] };
  pieces.push(text.slice(copied));
  const words = [...new Set(changed)];
  const shown = words.slice(0, SHOWN_WORDS).join(', ');
  const message = `A backslash was put before ${shown}${words.length > SHOWN_WORDS ? ' and others' : ''}: the CLI would have replaced them by files. Set expandAt: true to allow that.`;
  return {
    text: pieces.join(''),
    warnings: [{ code: 'PROMPT_CHANGED', message, count: changed.length }],
  };
}
