import { messageOf } from '../../base/errors/message-of.js';
import { sleepUnless } from '../../base/process/timing.js';
import { type PushAnswer, postPush } from './post-push.js';

/** Waits before a message that was not accepted is sent again. */
const REPEAT_AFTER_MS = [2_000, 15_000];
/** Longest wait that a service may ask for. */
const LONGEST_WAIT_MS = 60_000;
const GONE = new Set([404, 410]);
/** A service accepts signatures for half a day. A smaller difference of the clocks does no harm. */
const CLOCK_MS = 60 * 60 * 1000;

type PreparedPush = Parameters<typeof postPush>[0];

/** How a push message ended: it was accepted, its subscription has ended, or the reason why it was not delivered. */
export type PushOutcome =
  | { readonly type: 'accepted' | 'ended' | 'replaced' }
  | { readonly type: 'failed'; readonly problem: string };

/**
 * Sends a push message, and sends it again if the service cannot be reached or is busy. The signal ends the repeating: a newer
 * message has replaced this one, or the server ends.
 *
 * @param prepare signs the message anew, because a signature holds for a limited time
 */
export async function deliverPush(
  prepare: () => PreparedPush,
  signal: AbortSignal,
): Promise<PushOutcome> {
  for (let repeats = 0; ; repeats++) {
    const prepared = prepare();
    const answer = await postPush(prepared).catch(messageOf);
    if (typeof answer !== 'string') {
      if (answer.status >= 200 && answer.status < 300) return { type: 'accepted' };
      if (GONE.has(answer.status)) return { type: 'ended' };
    }
    const waitMs = REPEAT_AFTER_MS[repeats];
    if (waitMs === undefined || !isTemporary(answer))
      return { type: 'failed', problem: describeFailure(prepared.endpoint, answer) };
    const wantedMs = typeof answer === 'string' ? 0 : (answer.retryAfterMs ?? 0);
    await sleepUnless(Math.min(LONGEST_WAIT_MS, Math.max(waitMs, wantedMs)), signal);
    if (signal.aborted) return { type: 'replaced' };
  }
}

function isTemporary(answer: PushAnswer | string): boolean {
  return typeof answer === 'string' || answer.status === 429 || answer.status >= 500;
}

/** Says why a message was not delivered, and what to do. */
function describeFailure(endpoint: string, answer: PushAnswer | string): string {
  const { host } = new URL(endpoint);
  if (typeof answer === 'string') return `${host} cannot be reached (${answer})`;
  const { status, clockAheadMs = 0 } = answer;
  const refused = `${host} has refused it (HTTP ${status})`;
  if (Math.abs(clockAheadMs) > CLOCK_MS)
    return `${refused}. The clock of this machine is ${describeHours(clockAheadMs)}: correct it.`;
  return isTemporary(answer)
    ? refused
    : `${refused}. Turn push messages off and on again on the device.`;
}

function describeHours(ms: number): string {
  const hours = Math.round(Math.abs(ms) / 3_600_000);
  return `${hours} ${hours === 1 ? 'hour' : 'hours'} ${ms > 0 ? 'ahead' : 'behind'}`;
}
