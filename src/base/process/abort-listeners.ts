import { LONGEST_TIMER_MS } from './longest-timer.js';

interface Registrations {
  readonly calls: Set<() => void>;
  readonly onAbort: () => void;
}

const registrations = new WeakMap<AbortSignal, Registrations>();

/**
 * Calls a function when the signal is aborted, at once if the signal is aborted already. All functions of a signal share
 * one listener: Node warns of a leak at the eleventh, and a caller may cancel hundreds of steps with one signal. Returns a
 * function that removes the registration.
 */
export function callOnAbort(signal: AbortSignal, call: () => void): () => void {
  if (signal.aborted) {
    call();
    return () => {};
  }
  const { calls, onAbort } = registrations.get(signal) ?? register(signal);
  // A function of its own: the same function may be registered twice.
  const entry = (): void => call();
  calls.add(entry);
  return () => {
    calls.delete(entry);
    if (calls.size > 0 || registrations.get(signal)?.calls !== calls) return;
    registrations.delete(signal);
    signal.removeEventListener('abort', onAbort);
  };
}

/** Creates a signal that follows another one, and a function that ends the following. */
export function followSignal(signal: AbortSignal | undefined): {
  readonly signal: AbortSignal;
  readonly stop: () => void;
} {
  const controller = new AbortController();
  const stop =
    signal === undefined ? () => {} : callOnAbort(signal, () => controller.abort(signal.reason));
  return { signal: controller.signal, stop };
}

/**
 * Creates a signal that is aborted with another one, or when the time is over, and a function that ends both. Timer and
 * listener are held here: Node 20 collects an `AbortSignal.timeout()` that only an `AbortSignal.any()` refers to, and the
 * limit never comes.
 */
export function limitSignal(
  given: AbortSignal,
  ms: number,
): { readonly signal: AbortSignal; readonly stop: () => void } {
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new DOMException('The time is over', 'TimeoutError')),
    Math.min(ms, LONGEST_TIMER_MS),
  );
  const unfollow = callOnAbort(given, () => controller.abort(given.reason));
  const stop = (): void => {
    clearTimeout(timer);
    unfollow();
  };
  return { signal: controller.signal, stop };
}

function register(signal: AbortSignal): Registrations {
  const calls = new Set<() => void>();
  const onAbort = (): void => {
    registrations.delete(signal);
    for (const call of [...calls]) call();
  };
  signal.addEventListener('abort', onAbort, { once: true });
  registrations.set(signal, { calls, onAbort });
  return { calls, onAbort };
}
