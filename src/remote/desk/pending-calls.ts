import type { AfterToolHook, BeforeToolHook, NotificationHook } from '../../api/hook-payload.js';
import { announces, isSameCall } from './match-calls.js';
import type { PredictedEdit } from './predict-edit.js';

const QUESTION = 'ask_user';
/** Kinds of dialogs whose announcement names its call. */
const NAMED: ReadonlySet<unknown> = new Set(['exec', 'edit', 'mcp', QUESTION]);

/** A call that a person has allowed, with the change that the person was shown. */
export interface AllowedCall {
  readonly call: BeforeToolHook;
  readonly edit: PredictedEdit | undefined;
}

/** Calls of a turn that have not run yet. The CLI gives no id to a call: calls are known by their content. */
export class PendingCalls {
  #calls: BeforeToolHook[] = [];
  /** Calls that a person has allowed and whose dialog has not come yet. */
  #allowed: AllowedCall[] = [];

  add(call: BeforeToolHook): void {
    this.#calls.push(call);
  }

  /** A person has allowed a call before its dialog. */
  allow(allowed: AllowedCall): void {
    this.#allowed.push(allowed);
  }

  /** A person has refused a call: it never runs. */
  refuse(call: BeforeToolHook): void {
    this.#calls = without(this.#calls, call);
  }

  /** A call has run. */
  end(hook: AfterToolHook): void {
    this.#calls = without(
      this.#calls,
      this.#calls.find((call) => isSameCall(call, hook)),
    );
    this.#allowed = without(
      this.#allowed,
      this.#allowed.find(({ call }) => isSameCall(call, hook)),
    );
  }

  clear(): void {
    this.#calls = [];
    this.#allowed = [];
  }

  /** Finds the call whose dialog is announced. An announcement that names nothing belongs to the only call that is pending. */
  find(hook: NotificationHook): BeforeToolHook | undefined {
    const named = this.#calls.find((call) => announces(hook, call));
    if (named !== undefined || NAMED.has(hook.details?.['type'])) return named;
    const others = this.#calls.filter(({ tool_name: name }) => name !== QUESTION);
    return others.length === 1 ? others[0] : undefined;
  }

  /** Returns the call that a person has allowed before its dialog was announced, once. */
  takeAllowed(hook: NotificationHook): AllowedCall | undefined {
    const allowed = this.#allowed.find(({ call }) => announces(hook, call));
    this.#allowed = without(this.#allowed, allowed);
    return allowed;
  }

  /** Calls that ask the person something. Two of them may be pending, and their dialogs come in any order. */
  questions(): readonly BeforeToolHook[] {
    return this.#calls.filter(({ tool_name: name }) => name === QUESTION);
  }
}

function without<T>(all: readonly T[], one: T | undefined): T[] {
  return all.filter((other) => other !== one);
}
