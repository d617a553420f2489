import type { ApprovalMode } from '../../api/provider-config.js';
import type { RemoteActor } from '../../api/remote-control.js';
import { refusal } from './refusal.js';

/** Modes in which some calls run without a question. */
const ASKING_LESS: ReadonlySet<ApprovalMode> = new Set(['auto_edit', 'yolo']);

/** Throws INVALID_INPUT for a mode that would answer questions which this device must not answer. */
export function assertMode(mode: ApprovalMode, { mayApprove = true }: RemoteActor): void {
  if (mayApprove || !ASKING_LESS.has(mode)) return;
  throw refusal(
    `In the mode ${mode}, calls run without a question: this device lacks the right approve`,
    'Choose the mode at the desk, or on a device with the right approve.',
  );
}
