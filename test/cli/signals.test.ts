import { expect, it, vi } from 'vitest';
import { createOutput } from '../../src/cli/output/output.js';
import { listenToSignals } from '../../src/cli/signals.js';

const send = (signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP') =>
  process.listeners(signal).at(-1)?.(signal);

function listen(ignoresHangup = false) {
  const broken = new AbortController();
  const onInterrupt = vi.fn();
  const onEnd = vi.fn();
  const output = createOutput({}, broken.signal, ignoresHangup);
  return { broken, onInterrupt, onEnd, signals: listenToSignals(output, { onInterrupt, onEnd }) };
}

it('counts Ctrl-C, and ends the command at SIGTERM, SIGHUP and broken output', () => {
  const { broken, onInterrupt, onEnd, signals } = listen();
  send('SIGINT');
  send('SIGINT');
  expect(onInterrupt.mock.calls).toEqual([[1], [2]]);
  expect(signals).toMatchObject({ interrupts: 2, hangupExitCode: undefined });
  send('SIGTERM');
  expect(signals.hangupExitCode).toBeUndefined();
  send('SIGHUP');
  // A shell may pass on the SIGHUP that the kernel has sent already.
  send('SIGHUP');
  expect(signals.hangupExitCode).toBe(129);
  broken.abort();
  expect(onEnd.mock.calls).toEqual([
    ['by SIGTERM'],
    ['because its terminal was closed (SIGHUP)'],
    ['because its terminal was closed (SIGHUP)'],
    ['because its output could no longer be written'],
  ]);
  signals.forget();
});

it('goes on after SIGHUP under nohup', () => {
  const { onEnd, signals } = listen(true);
  send('SIGHUP');
  expect(onEnd).not.toHaveBeenCalled();
  expect(signals.hangupExitCode).toBeUndefined();
  signals.forget();
});

it('removes its listeners', () => {
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;
  const count = () => names.map((name) => process.listenerCount(name));
  const before = count();
  const { signals } = listen();
  expect(count()).toEqual(before.map((number, index) => (index < 3 ? number + 1 : number)));
  signals.forget();
  expect(count()).toEqual(before);
});
