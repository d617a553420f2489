import { expect, it } from 'vitest';
import { z } from 'zod';
import type { StepResult } from '../../../src/batch/ledger/ledger-entry.js';
import { keyOfStep } from '../../../src/batch/run/step-key.js';
import { manifestFile, plannedStep } from './pieces.js';

const step = {
  ...plannedStep(1, [0]),
  config: { workingDir: '/p/w', model: 'm', env: { B: '1', A: '2' } },
};
const needed: StepResult = {
  text: 't',
  data: { a: 1 },
  files: [manifestFile('x')],
  model: 'm',
  sessionId: 's',
  deniedTools: [],
  warnings: [],
};
const INPUTS = { baseDir: '/p' };
const key = keyOfStep(step, 'go', INPUTS, [needed]);

it.each([
  ['prompt', () => keyOfStep(step, 'go on', INPUTS, [needed])],
  [
    'configuration',
    () => keyOfStep({ ...step, config: { ...step.config, model: 'n' } }, 'go', INPUTS, [needed]),
  ],
  [
    'folder',
    () =>
      keyOfStep({ ...step, config: { ...step.config, workingDir: '/p/v' } }, 'go', INPUTS, [
        needed,
      ]),
  ],
  [
    'expectations',
    () => keyOfStep({ ...step, expects: { contains: 'x' } }, 'go', INPUTS, [needed]),
  ],
  ['repairs', () => keyOfStep({ ...step, repair: 1 }, 'go', INPUTS, [needed])],
  ['text of a needed step', () => keyOfStep(step, 'go', INPUTS, [{ ...needed, text: 'u' }])],
  ['data of a needed step', () => keyOfStep(step, 'go', INPUTS, [{ ...needed, data: { a: 2 } }])],
  [
    'file of a needed step',
    () =>
      keyOfStep(step, 'go', INPUTS, [
        { ...needed, files: [manifestFile('x', { sha256After: 'other' })] },
      ]),
  ],
  ['flags', () => keyOfStep(step, 'go', { ...INPUTS, config: { approvalMode: 'plan' } }, [needed])],
])('a step key changes with the %s', (_, change) => {
  expect(change()).not.toBe(key);
});

it('a step key identifies a schema from code by the answers that the schema accepts', () => {
  const keyWith = (json: z.ZodType) => keyOfStep({ ...step, expects: { json } }, 'go', INPUTS, []);
  const before = keyWith(z.object({ a: z.number() }));
  expect(keyWith(z.object({ a: z.number() }))).toBe(before);
  expect(keyWith(z.object({ a: z.number(), b: z.string() }))).not.toBe(before);
  const withDate = () => keyWith(z.object({ a: z.number().transform((ms) => new Date(ms)) }));
  expect(withDate()).toBe(withDate());
});

it('a step key does not change with the folder of the plan, the order of keys, retries or isolation', () => {
  const env = { A: '2', B: '1' };
  const moved = {
    ...step,
    retries: 9,
    isolation: 'copy' as const,
    config: { env, model: 'm', workingDir: '/q/w' },
  };
  expect(keyOfStep(moved, 'go', { baseDir: '/q' }, [{ ...needed, sessionId: 'other' }])).toBe(key);
});

it('a step key does not change with flags that the plan overrides or that describe the machine', () => {
  const config = {
    model: 'other',
    env: { GEMINI_API_KEY: 'k' },
    cliPath: '/x',
    compileCache: false,
    maxCost: 5,
    prices: { m: { input: 1, output: 1 } },
    pool: {},
  };
  expect(keyOfStep(step, 'go', { ...INPUTS, config }, [needed])).toBe(key);
});
