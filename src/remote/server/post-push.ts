import { request } from 'node:https';
import type { RequestDetails } from 'web-push';

/** Time within which a push service must answer. */
const ANSWER_MS = 10_000;

/** Answer of a push service. */
export interface PushAnswer {
  readonly status: number;
  /** Time for which the service does not want to be asked again. */
  readonly retryAfterMs: number | undefined;
  /** Difference between the clock of this machine and that of the service: positive if this one is ahead. */
  readonly clockAheadMs: number | undefined;
}

/**
 * Posts a prepared push message. Nothing of the body of the answer is read: the address was chosen by a device, and an endless
 * answer would fill the memory. Throws if there is no answer.
 */
export function postPush({ endpoint, headers, body }: RequestDetails): Promise<PushAnswer> {
  return new Promise((resolve, reject) => {
    const sending = request(endpoint, { method: 'POST', headers }, (response) => {
      clearTimeout(timer);
      const { statusCode: status = 0, headers: answered } = response;
      response.destroy();
      const sentAtMs = Date.parse(answered.date ?? '');
      resolve({
        status,
        retryAfterMs: readRetryAfter(answered['retry-after']),
        clockAheadMs: Number.isNaN(sentAtMs) ? undefined : Date.now() - sentAtMs,
      });
    });
    const timer = setTimeout(
      () => sending.destroy(new Error('no answer within 10 seconds')),
      ANSWER_MS,
    );
    sending.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    sending.end(body);
  });
}

/** Reads the seconds of a header. The form with a date is of no use if one of the clocks is wrong. */
function readRetryAfter(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,6}$/.test(value) ? Number(value) * 1_000 : undefined;
}
