import { callOnAbort } from '../../base/process/abort-listeners.js';

/** A signal that is aborted with the first of several others, until the following is ended. */
export interface FollowedSignals {
  readonly signal: AbortSignal;
  /** Ends the following, so that nothing of it stays with signals that live longer. */
  readonly stop: () => void;
}

/** Follows several signals. Node 20 would keep a trace of each `AbortSignal.any()` with a signal that lives as long as the session. */
export function followSignals(signals: readonly AbortSignal[]): FollowedSignals {
  const controller = new AbortController();
  const stops = signals.map((given) => callOnAbort(given, () => controller.abort(given.reason)));
  return {
    signal: controller.signal,
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}
