import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AuditLog } from '../../../src/remote/server/audit-log.js';
import { recordLog } from '../record-log.js';

const createFolder = (): string => mkdtempSync(join(tmpdir(), 'audit-'));

describe('AuditLog', () => {
  it('has one private line for each action, in order, also over several runs', async () => {
    const file = join(createFolder(), 'audit.jsonl');
    const { logger, lines } = recordLog();
    const first = new AuditLog(file, logger);
    const hostile = 'phone\n{"action":"forged"}';
    for (let count = 0; count < 20; count++)
      void first.add({ action: `prompt ${count}`, by: hostile, sessionId: 's', outcome: 'done' });
    await first.close();
    const second = new AuditLog(file, logger);
    // A server that is killed does not close its log.
    await second.add({ action: 'end', by: 'desk', outcome: 'refused' });
    const written = readFileSync(file, 'utf8').trimEnd().split('\n');
    const actions = written.map((line) => JSON.parse(line));
    expect(actions.map(({ action }) => action)).toEqual([
      ...Array.from({ length: 20 }, (_, count) => `prompt ${count}`),
      'end',
    ]);
    expect(actions[0]).toMatchObject({ at: expect.stringMatching(/Z$/), by: hostile });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(lines.map(({ level }) => level)).toEqual(Array(21).fill('info'));
  });

  it('goes on without the lines that cannot be written, and reports them', async () => {
    const { logger, lines } = recordLog();
    const audit = new AuditLog(join(createFolder(), 'missing', 'audit.jsonl'), logger);
    void audit.add({ action: 'one', by: 'phone', outcome: 'done' });
    void audit.add({ action: 'two', by: 'phone', outcome: 'done' });
    await audit.close();
    expect(lines.filter(({ level }) => level === 'error')).toMatchObject([
      { message: 'The audit log cannot be written' },
      { fields: { error: expect.stringContaining('ENOENT') } },
    ]);
  });
});
