import type { RemoteActor, RemoteStart } from '../../api/remote-control.js';
import { assertMode } from './assert-mode.js';
import { assertModelName } from './assert-model-name.js';
import { assertPrompt } from './prompt-queue.js';
import { refusal } from './refusal.js';

/** Throws INVALID_INPUT for a start that a device must not make, before anything is started. */
export function assertStart({ prompt, model, mode }: RemoteStart, by: RemoteActor): void {
  if (prompt !== undefined) assertPrompt(prompt);
  if (prompt !== undefined && by.mayPrompt === false)
    throw refusal(
      'This device may not send prompts: it lacks the right prompt',
      'Start the session without a prompt.',
    );
  if (model !== undefined) assertModelName(model);
  if (mode === 'yolo' && !by.isDesk) throw refusal('The mode yolo cannot be chosen from here');
  if (mode !== undefined) assertMode(mode, by);
}
