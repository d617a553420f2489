import { describe, it } from 'vitest';
import { ENDINGS, expectNothingLeft, IN_NAMESPACE } from './ending-matrix.js';

/** Four kinds of processes, 56 in all. */
const ROUNDS = 14;

const CASES = ENDINGS.flatMap((ending) =>
  (['headless', 'acp'] as const).flatMap((transport) =>
    [false, true].flatMap((isPlainUser) =>
      ['auto', 'subreaper', 'namespace'].map((processIsolation) => {
        return { ending, transport, isPlainUser, processIsolation };
      }),
    ),
  ),
);

const IN_NAMESPACES = ENDINGS.flatMap((ending) =>
  (['headless', 'acp'] as const).map((transport) => ({ ending, transport })),
);

describe('a host that is the first process of a PID namespace leaves nothing behind', () => {
  it.each(IN_NAMESPACES)('namespace, $transport, $ending', { timeout: 120_000 }, async (given) => {
    const ends: (() => void | Promise<void>)[] = [];
    try {
      const cleanup = (act: () => void | Promise<void>) => void ends.unshift(act);
      await expectNothingLeft({ ...given, rounds: ROUNDS, launcher: IN_NAMESPACE, cleanup });
    } finally {
      for (const end of ends) await end();
    }
  });
});

describe('a step with nasty processes leaves nothing behind', () => {
  it.each(CASES)(
    '$transport, $ending, means $processIsolation, plain user $isPlainUser',
    {
      timeout: 120_000,
    },
    async (given) => {
      const ends: (() => void | Promise<void>)[] = [];
      try {
        const cleanup = (act: () => void | Promise<void>) => void ends.unshift(act);
        await expectNothingLeft({ ...given, rounds: ROUNDS, cleanup });
      } finally {
        for (const end of ends) await end();
      }
    },
  );
});
