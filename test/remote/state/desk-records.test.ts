import { mkdirSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DeskRecords } from '../../../src/remote/state/desk-records.js';

it('records of sessions at the desk are kept, replaced and removed; damaged ones are left out', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'records-'));
  for (const id of ['one', 'two', 'three']) mkdirSync(join(folder, id));
  const records = new DeskRecords(folder);
  const record = { cliSessionId: 'cli', pid: 7, startTime: 8, file: '/f' };
  await records.write('one', record);
  await records.write('one', { ...record, socket: '/s', pane: '%1' });
  await records.write('two', record);
  await records.write('missing', record);
  writeFileSync(join(folder, 'three', 'desk.json'), '{"pid": -1}');
  expect(statSync(join(folder, 'one', 'desk.json')).mode & 0o777).toBe(0o600);
  await records.remove('two');
  await records.remove('two');
  expect([...records.readAll()]).toEqual([['one', { ...record, socket: '/s', pane: '%1' }]]);
});

it('a record of the desk that cannot be written is no error, and folders without one are left out', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'records-'));
  mkdirSync(join(folder, 'one', 'desk.json'), { recursive: true });
  const records = new DeskRecords(folder);
  await records.write('one', { cliSessionId: 'cli', pid: 7, startTime: 8 });
  expect(records.readAll().size).toBe(0);
  await records.remove('never');
});
