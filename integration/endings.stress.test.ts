import { describe, it } from 'vitest';
import { ENDINGS, expectNothingLeft } from './ending-matrix.js';

const CASES = ENDINGS.flatMap((ending) =>
  (['headless', 'acp'] as const).flatMap((transport) =>
    [false, true].flatMap((isPlainUser) =>
      ['auto', 'subreaper', 'namespace'].map((processIsolation) => {
        return { ending, transport, isPlainUser, processIsolation };
      }),
    ),
  ),
);

describe('a step with nasty processes leaves nothing behind', () => {
  it.each(CASES)(
    '$transport, $ending, means $processIsolation, plain user $isPlainUser',
    {
      timeout: 120_000,
    },
    async (given) => {
      const ends: (() => void | Promise<void>)[] = [];
      try {
        await expectNothingLeft({ ...given, cleanup: (act) => void ends.unshift(act) });
      } finally {
        for (const end of ends) await end();
      }
    },
  );
});
