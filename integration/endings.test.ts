import { describe, it } from 'vitest';
import { type EndingCase, expectNothingLeft, IN_NAMESPACE } from './ending-matrix.js';

/** Part of the matrix of `endings.stress.test.ts`: each way out of the host, each means, with and without privileges. */
const CASES: readonly Omit<EndingCase, 'cleanup'>[] = [
  { transport: 'headless', ending: 'normal' },
  { transport: 'headless', ending: 'SIGKILL', isPlainUser: true },
  { transport: 'acp', ending: 'SIGKILL', rounds: 14 },
  { transport: 'acp', ending: 'worker', isPlainUser: true },
  { transport: 'acp', ending: 'cancel', processIsolation: 'namespace', isPlainUser: true },
  { transport: 'headless', ending: 'exit', processIsolation: 'subreaper', rounds: 14 },
];

describe.concurrent('a step with nasty processes leaves nothing behind (claim: daemons-end)', () => {
  it.for(CASES)(
    '$transport, $ending, means $processIsolation, plain user $isPlainUser',
    async (given, { onTestFinished }) => {
      await expectNothingLeft({ ...given, cleanup: onTestFinished });
    },
  );

  it.for([
    { transport: 'headless', ending: 'cancel' },
    { transport: 'acp', ending: 'SIGTERM' },
  ] as const)(
    'if the host is the first process of a PID namespace: $transport, $ending',
    async (given, { onTestFinished }) => {
      await expectNothingLeft({ ...given, launcher: IN_NAMESPACE, cleanup: onTestFinished });
    },
  );
});
