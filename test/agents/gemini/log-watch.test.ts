import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LogWatch } from '../../../src/agents/gemini/log-watch.js';
import type { RetryNotice } from '../../../src/agents/gemini/retry-notice.js';
import { makeFolder } from '../../fixtures/cli/support.js';

function open() {
  const file = join(makeFolder(), 'debug.log');
  const notices: RetryNotice[] = [];
  const watch = new LogWatch(file, (notice) => notices.push(notice));
  onTestFinished(() => watch.close());
  return { file, notices, watch };
}

const line = (words: string) => `[2026-11-16T05:03:33.044Z] [WARN] ${words}\n`;

describe('the debug log of the CLI', () => {
  it('reports retries in lines with time and level', async () => {
    const { file, notices, watch } = open();
    writeFileSync(
      file,
      `${line('something else')}${line('Attempt 1 failed with status 503. Retrying with backoff...')}`,
    );
    await watch.read();
    expect(notices).toMatchObject([{ attempt: 1, httpStatus: 503 }]);
    appendFileSync(
      file,
      line('Attempt 2 failed: slow down. Retrying after 1200ms...').slice(0, 40),
    );
    await watch.read();
    expect(notices).toHaveLength(1);
    appendFileSync(file, line('Attempt 2 failed: slow down. Retrying after 1200ms...').slice(40));
    await watch.read();
    expect(notices[1]).toMatchObject({ attempt: 2, delayMs: 1200 });
  });

  it('may be created later, or never', async () => {
    const { file, notices, watch } = open();
    await watch.read();
    await watch.close();
    writeFileSync(file, line('Attempt 1 failed with status 500. Retrying with backoff...'));
    await watch.read();
    expect(notices).toHaveLength(1);
  });
});
