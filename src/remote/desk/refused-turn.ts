import type { RemoteRequest } from '../../api/remote-request.js';

/** Line with which the CLI begins the contents of files that a prompt names. */
const FILES = /\n--- Content from referenced files ---[\s\S]*$/;

/**
 * The turn of a call that is refused in its dialog. The CLI forgets such a turn with its prompt, so the reason goes to the model as
 * a new prompt, which repeats the request of the person and all refusals since.
 */
export class RefusedTurn {
  #request = '';
  #refusals: string[] = [];
  #sent: string | undefined;

  /** Takes a prompt that the CLI has reported. */
  takePrompt(text: string): void {
    if (this.#sent !== undefined && text.trim().startsWith(this.#sent)) return;
    this.#request = text.replace(FILES, '').trim();
    this.#refusals = [];
    this.#sent = undefined;
  }

  /** Returns the prompt that carries the reason. */
  refuse(call: Pick<RemoteRequest, 'toolName' | 'title' | 'input'>, reason: string): string {
    const path = call.input['file_path'];
    const what = typeof path === 'string' ? path : call.title;
    this.#refusals.push(`I refused the call of ${call.toolName} (${what}): ${reason.trim()}`);
    const request = this.#request === '' ? [] : ['', 'My request was:', this.#request];
    this.#sent = [...this.#refusals, ...request].join('\n');
    return this.#sent;
  }
}
