import { sleep } from '../../../base/process/timing.js';
import { refusal } from '../../session/refusal.js';
import type { KeyGuard } from '../../tmux/key-guard.js';
import type { PaneKey, PaneView, TmuxPane } from '../../tmux/tmux-pane.js';

const LOOK_MS = 40;
const TRY_MS = 2_000;

/** A key, and what the pane must show when the key is pressed. */
export interface KeyPlan {
  readonly key: PaneKey;
  readonly guard: KeyGuard;
}

/**
 * Presses one key on a screen that was just looked at. tmux compares the screen once more at the moment of the key; if it has
 * changed since the look, the pane is looked at again. Throws INVALID_INPUT if the pane never shows what the key is for.
 *
 * @param plan returns the key for a view, or undefined if the view is not the expected one
 */
export async function pressVerified<T extends KeyPlan>(
  pane: TmuxPane,
  plan: (view: PaneView) => T | undefined,
  missing: string,
  forMs = TRY_MS,
): Promise<T> {
  const until = performance.now() + forMs;
  do {
    const view = await pane.look();
    if (view.problem !== undefined) throw refusal(view.problem, 'Change it at the desk.');
    const planned = plan(view);
    if (planned !== undefined && (await pane.press(planned.key, planned.guard))) return planned;
    await sleep(LOOK_MS);
  } while (performance.now() < until);
  throw refusal(missing);
}
