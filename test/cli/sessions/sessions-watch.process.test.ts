import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { endAfterTest, makeFolder, until } from '../../fixtures/cli/support.js';

const MAIN = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const line = (record: object): string => `${JSON.stringify(record)}\n`;
const HEADER = line({ sessionId: 's1', projectHash: 'x', kind: 'main' });
const QUESTION = line({ id: 'q', type: 'user', content: 'Do it' });
const answer = (more: object) => line({ id: 'a', type: 'gemini', content: 'Working.', ...more });
const CALL = { id: 'c', name: 'write_file', args: { file_path: 'a.ts' }, status: 'success' };

function watch(file: string, ...flags: string[]) {
  const child = spawn(process.execPath, [MAIN, 'sessions', 'watch', '--file', file, ...flags]);
  endAfterTest(child.pid ?? 0);
  const shown = { stdout: '' };
  child.stdout.on('data', (chunk) => {
    shown.stdout += chunk;
  });
  return { child, shown };
}

describe('sessions watch', () => {
  it('prints each new line once and exits with 0 on Ctrl-C', async () => {
    const file = join(makeFolder({ 's.jsonl': `${HEADER}${QUESTION}` }), 's.jsonl');
    const { child, shown } = watch(file);
    await until(() => shown.stdout.includes('Do it'));
    appendFileSync(file, answer({}));
    await until(() => shown.stdout.includes('Working.'));
    appendFileSync(file, answer({ toolCalls: [CALL] }));
    await until(() => shown.stdout.includes('Write a.ts'));
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(shown.stdout.match(/Working\./g)).toHaveLength(1);
  });

  it('prints updates as JSON lines, only new ones with --skip-existing', async () => {
    const file = join(makeFolder({ 's.jsonl': `${HEADER}${QUESTION}` }), 's.jsonl');
    const { child, shown } = watch(file, '--json', '--skip-existing');
    // The start of watching cannot be seen: lines are written until one of them is printed.
    for (let n = 0; !shown.stdout.includes('status'); n++) {
      const later = { type: 'gemini', content: 'Later', model: 'm', tokens: { total: 1 } };
      appendFileSync(file, line({ id: `l${n}`, ...later }));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    const updates = shown.stdout
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text));
    expect(updates).toContainEqual(expect.objectContaining({ type: 'message', change: 'new' }));
    expect(updates).toContainEqual(expect.objectContaining({ type: 'status', model: 'm' }));
    expect(shown.stdout).not.toContain('Do it');
  });

  it('exits with 129 when the terminal is closed, and goes on under nohup', async () => {
    const file = join(makeFolder({ 's.jsonl': `${HEADER}${QUESTION}` }), 's.jsonl');
    const { child, shown } = watch(file);
    await until(() => shown.stdout.includes('Do it'));
    child.kill('SIGHUP');
    expect(await once(child, 'close')).toEqual([129, null]);

    const args = [process.execPath, MAIN, 'sessions', 'watch', '--file', file];
    const env = { ...process.env, _: '/usr/bin/nohup' };
    const hardened = spawn('nohup', args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
    endAfterTest(hardened.pid ?? 0);
    let text = '';
    hardened.stdout.on('data', (chunk) => {
      text += chunk;
    });
    await until(() => text.includes('Do it'));
    hardened.kill('SIGHUP');
    appendFileSync(file, answer({}));
    await until(() => text.includes('Working.'));
    hardened.kill('SIGTERM');
    expect(await once(hardened, 'close')).toEqual([0, null]);
  });
});
