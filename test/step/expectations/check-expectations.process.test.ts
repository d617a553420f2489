import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Expectations } from '../../../src/api/expectations.js';
import { createRedactor, secretsOf } from '../../../src/base/errors/redact.js';
import { closeIdleReaper } from '../../../src/base/process/reaper.js';
import {
  checkExpectations,
  type ExpectationSubject,
} from '../../../src/step/expectations/check-expectations.js';
import { failureOf, makeFolder } from '../../fixtures/cli/support.js';

afterAll(closeIdleReaper);

function check(expects: Expectations, more: Partial<ExpectationSubject> = {}) {
  const env = { PATH: process.env['PATH'] };
  return checkExpectations(expects, {
    text: '',
    files: [],
    workingDir: makeFolder(),
    env,
    redactor: createRedactor(secretsOf(more.env ?? env)),
    ...more,
  });
}

describe('the check of expectations', () => {
  it('succeeds if nothing is expected', async () => {
    expect(await check({})).toMatchObject({ missing: [] });
  });

  it('reports all failures at once, with every command last', async () => {
    const { missing } = await check({
      command: ['false', 'no-such-program', 'true'],
      json: { type: 'object' },
      contains: ['a', 'b'],
      files: ['a.ts', 'b.ts'],
      noChangesOutside: 'src/**',
    });
    const kinds = missing.map(({ kind }) => kind).join(' ');
    expect(kinds).toBe('files files contains contains json command command');
  });

  it('returns the data also if something else is missing', async () => {
    const { missing, data } = await check(
      { json: { type: 'object' }, contains: 'x' },
      { text: '{"a": 1}' },
    );
    expect([missing.length, data]).toEqual([1, { a: 1 }]);
  });

  it('finds programs in node_modules/.bin of the project and of the folders above', async () => {
    const root = makeFolder({
      'node_modules/.bin/above*': '#!/bin/sh\necho "$0" && exit 0\n',
      'app/node_modules/.bin/near*': '#!/bin/sh\nexit 0\n',
    });
    const command = ['above', 'near'];
    expect(await check({ command }, { workingDir: `${root}/app` })).toMatchObject({ missing: [] });
  });

  it('runs the compiler of a project', async () => {
    const workingDir = makeFolder({
      'tsconfig.json': '{"compilerOptions": {"types": [], "lib": ["es5"]}, "files": ["a.ts"]}',
      'a.ts': 'export const a: string = 1;\n',
    });
    symlinkSync(
      join(import.meta.dirname, '../../../node_modules'),
      join(workingDir, 'node_modules'),
    );
    const { missing } = await check({ command: 'npx tsc --noEmit' }, { workingDir });
    expect(missing).toMatchObject([
      {
        message: '`npx tsc --noEmit` exited with 2',
        detail: expect.stringMatching(/^a\.ts\(1,14\): error TS2322/m),
      },
    ]);
  });

  it('gives commands only the environment of the step', async () => {
    vi.stubEnv('ONLY_OURS', 'yes');
    onTestFinished(() => void vi.unstubAllEnvs());
    const script = 'test "$GIVEN" = 1 && test -z "$ONLY_OURS" && test -z "$UNSET"';
    const env = { PATH: process.env['PATH'], GIVEN: '1', UNSET: undefined };
    const command = { command: 'sh', args: ['-c', script] };
    expect(await check({ command }, { env })).toMatchObject({ missing: [] });
  });

  it('redacts the secrets of the step in the output of a command', async () => {
    const env = { PATH: process.env['PATH'], API_TOKEN: 'planted-secret-1' };
    const command = { command: 'sh', args: ['-c', 'echo "it is $API_TOKEN"; exit 1'] };
    const { missing } = await check({ command }, { env });
    expect(missing).toMatchObject([{ detail: 'it is [redacted]' }]);
  });

  it('throws after a cancel, also if no command runs', async () => {
    const signal = AbortSignal.abort('enough');
    expect(await failureOf(() => check({ contains: 'x' }, { signal }))).toBe('enough');
  });
});
