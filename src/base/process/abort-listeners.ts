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
