import { toPaste } from '../../tmux/tmux-text.js';
import type { OutgoingPrompt } from '../session-driver.js';

const MOST_PROMPTS = 20;

/** Prompts that the hook of the CLI has reported, from here and from the desk. Only this hook proves that a prompt has arrived. */
export class PromptArrivals {
  #reported: string[] = [];
  /** A prompt whose text is in the input, and that was reported as not delivered. */
  #late: OutgoingPrompt | undefined;

  /** The prompt that was reported last. */
  get latest(): string | undefined {
    return this.#reported.at(-1);
  }

  /** A hook has reported a prompt. Returns the prompt that has arrived late by that. */
  report(text: string): OutgoingPrompt | undefined {
    this.#reported.push(text);
    if (this.#reported.length > MOST_PROMPTS) this.#reported.shift();
    const late = this.#late;
    if (late === undefined || !isSamePrompt(late.text, text)) return undefined;
    this.#late = undefined;
    return late;
  }

  /** Forgets what was reported: from now on, a report is that of the next prompt. */
  begin(): void {
    this.#reported = [];
    this.#late = undefined;
  }

  /** True if a prompt was reported since the beginning. */
  has(text: string): boolean {
    return this.#reported.some((known) => isSamePrompt(text, known));
  }

  /** Waits for a prompt that was not delivered in time: a CLI that did not answer may take its text when it goes on. */
  expectLate(prompt: OutgoingPrompt): void {
    this.#late = prompt;
  }
}

/** True if a prompt that a hook has reported is the one that was sent. The CLI trims a prompt, and appends the files that it names. */
function isSamePrompt(sent: string, reported: string): boolean {
  const [wanted, known] = [withoutBlanks(toPaste(sent)), withoutBlanks(reported)];
  return known === wanted || (wanted.includes('@') && known.startsWith(wanted));
}

function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
