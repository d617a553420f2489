import type { AfterToolHook, BeforeToolHook, NotificationHook } from '../../api/hook-payload.js';
import { announces, isSameCall } from './match-calls.js';
import type { PredictedEdit } from './predict-edit.js';

const QUESTION = 'ask_user';
/** Tools whose calls are named by the announcements of their dialogs. */
const NAMED_TOOL =
  /^(?:run_shell_command|write_file|replace|web_fetch|ask_user|exit_plan_mode|mcp_.*)$/;

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

  /**
   * Finds the call whose dialog is announced. Undefined if several different calls fit: the CLI announces parallel calls in any
   * order. An announcement of the kind `info` shows a text of its call alone, so without a name it belongs to the only call whose
   * dialog is of this kind. Any other kind, such as `sandbox_expansion`, may ask for more than its call.
   */
  find(hook: NotificationHook): BeforeToolHook | undefined {
    const fitting = this.fitting(hook);
    if (fitting.length > 0 || hook.details?.['type'] !== 'info') return findOnly(fitting);
    return findOnly(this.#calls.filter(({ tool_name: name }) => !NAMED_TOOL.test(name)));
  }

  /** Returns all pending calls that an announcement may be about, by what it names. */
  fitting(hook: NotificationHook): readonly BeforeToolHook[] {
    return this.#calls.filter((call) => announces(hook, call));
  }

  /** Returns the call that a person has allowed before its dialog was announced, once. */
  takeAllowed(hook: NotificationHook): AllowedCall | undefined {
    // The dialog of a second call, in another folder for example, must not be answered by what was allowed for the first one.
    if (findOnly(this.fitting(hook)) === undefined) return undefined;
    const allowed = this.#allowed.find(({ call }) => announces(hook, call));
    this.#allowed = without(this.#allowed, allowed);
    return allowed;
  }

  /** Calls that ask the person something. Two of them may be pending, and their dialogs come in any order. */
  questions(): readonly BeforeToolHook[] {
    return this.#calls.filter(({ tool_name: name }) => name === QUESTION);
  }
}

/** Returns the call that all the given ones are, undefined if they differ. */
function findOnly(calls: readonly BeforeToolHook[]): BeforeToolHook | undefined {
  const [first, ...others] = calls;
  return first !== undefined && others.every((call) => isSameCall(first, call)) ? first : undefined;
}

function without<T>(all: readonly T[], one: T | undefined): T[] {
  return all.filter((other) => other !== one);
}
