import type { DeskLauncher } from '../drivers/desk-launcher.js';

/** The sessions at the desk: those in tmux, and those in other terminals that only their hooks report. */
export interface Desk {
  /** Answers a hook of the CLI. The answer is what the hook prints. */
  onHook(event: string, payload: unknown, pane: HookPane, signal: AbortSignal): Promise<object>;
  /** Starts sessions in tmux; undefined where tmux is missing. */
  readonly launcher: DeskLauncher | undefined;
  /** Sentences about what does not work at the desk. */
  readonly notes: readonly string[];
  close(): Promise<void>;
}

/** Pane of tmux in which the CLI of a hook runs. Undefined in another terminal. */
export interface HookPane {
  readonly tmux: string | undefined;
  readonly pane: string | undefined;
  /** Process that has started the hook. */
  readonly parent: string | undefined;
}
