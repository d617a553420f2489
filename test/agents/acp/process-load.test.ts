import { expect, it } from 'vitest';
import { ProcessLoad } from '../../../src/agents/acp/process-load.js';

/** Calls `isBusy` at times with the CPU time that the process has used until then. */
function ask(active: number, times: readonly (readonly [number, number | undefined])[]) {
  let cpuMs: number | undefined;
  const load = new ProcessLoad(() => cpuMs);
  const member = { active, process: { pid: 1 } };
  return times.map(([nowMs, used]) => {
    cpuMs = used;
    return load.isBusy(member, nowMs);
  });
}

it.each<[string, boolean[], number, (readonly [number, number | undefined])[]]>([
  [
    'most of a core for five seconds',
    [false, true],
    2,
    [
      [0, 0],
      [5000, 4500],
    ],
  ],
  [
    'half of a core',
    [false, false],
    2,
    [
      [0, 0],
      [5000, 2500],
    ],
  ],
  [
    'a core for three seconds',
    [false, false],
    2,
    [
      [0, 0],
      [3000, 3000],
    ],
  ],
  [
    'a core, then nothing',
    [false, true, false],
    2,
    [
      [0, 0],
      [5000, 5000],
      [10_000, 5000],
    ],
  ],
  [
    'a core, with one step',
    [false, false],
    1,
    [
      [0, 0],
      [5000, 5000],
    ],
  ],
  [
    'an unknown time',
    [false, false],
    2,
    [
      [0, undefined],
      [5000, undefined],
    ],
  ],
])('a process that used %s is busy or not', (_, answers, active, times) => {
  expect(ask(active, times)).toEqual(answers);
});

it('a process without a known id is not busy', () => {
  const member = { active: 2, process: { pid: undefined } };
  expect(new ProcessLoad().isBusy(member)).toBe(false);
});
