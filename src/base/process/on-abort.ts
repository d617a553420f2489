/** Callbacks for each signal that this module listens to. */
const callbacks = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when the signal is aborted, at once if it is aborted already. Returns a function that takes the callback
 * back. However many callbacks there are, the signal has one listener: Node warns of a leak at the eleventh.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback();
    return () => {};
  }
  const waiting = callbacks.get(signal) ?? listenTo(signal);
  // An own function for each call, so that the same callback may be given twice.
  const call = (): void => callback();
  waiting.add(call);
  return () => void waiting.delete(call);
}

function listenTo(signal: AbortSignal): Set<() => void> {
  const waiting = new Set<() => void>();
  callbacks.set(signal, waiting);
  const callAll = (): void => {
    for (const call of [...waiting]) call();
    waiting.clear();
  };
  signal.addEventListener('abort', callAll, { once: true });
  return waiting;
}

/** Creates a signal that follows another one, and a function that ends the following. */
export function followSignal(signal: AbortSignal | undefined): {
  readonly signal: AbortSignal;
  readonly stop: () => void;
} {
  const controller = new AbortController();
  const stop =
    signal === undefined ? () => {} : onAbort(signal, () => controller.abort(signal.reason));
  return { signal: controller.signal, stop };
}
