import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { chooseDatabaseUser, isOpenToAll } from '../../../src/queue/embedded/database-user.js';
import { findPostgresPrograms } from '../../../src/queue/embedded/postgres-programs.js';

function makeDirectory(): string {
  const folder = mkdtempSync(join(tmpdir(), 'programs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('links of libraries lie outside of the package, and finding them twice changes nothing', async () => {
  const folder = makeDirectory();
  const programs = await findPostgresPrograms(folder, false);
  expect(await findPostgresPrograms(folder, false)).toEqual(programs);
  expect(existsSync(programs.initdb) && existsSync(programs.postgres)).toBe(true);
  expect(programs.env['LD_LIBRARY_PATH']).toContain(join(folder, 'libraries'));
  expect(existsSync(readlinkSync(join(folder, 'libraries', 'libpq.so.5')))).toBe(true);
});

test('root uses a user that the machine has, other users themselves', async () => {
  const accounts = join(makeDirectory(), 'passwd');
  writeFileSync(accounts, 'root:x:0:0::/root:/bin/sh\nnobody:x:65534:65533::/:/bin/false\n');
  const isRoot = process.getuid?.() === 0;
  expect(await chooseDatabaseUser(accounts)).toEqual(isRoot ? { uid: 65_534, gid: 65_533 } : {});
  writeFileSync(accounts, 'root:x:0:0::/root:/bin/sh\n');
  if (isRoot)
    await expect(chooseDatabaseUser(accounts)).rejects.toThrow(
      'has none of these: postgres, nobody',
    );
  else expect(await chooseDatabaseUser(accounts)).toEqual({});
});

test('a folder below a closed one is not open to all', async () => {
  const folder = makeDirectory();
  const inner = join(folder, 'inner');
  mkdirSync(inner, { mode: 0o755 });
  chmodSync(folder, 0o700);
  expect(await isOpenToAll(inner)).toBe(false);
  chmodSync(folder, 0o711);
  expect(await isOpenToAll(inner)).toBe(await isOpenToAll(tmpdir()));
});
