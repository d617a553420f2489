import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTree } from '../../base/fs/make-tree.js';
import { edit, withVariables } from '../../batch/isolation/support.js';
import { createShipLab, type ShipLab } from './support.js';

const FILES = { 'package-lock.json': '1\n', 'a.txt': 'a\n', '.gitignore': 'node_modules\n' };
const NOTHING = { extraPaths: [] };

/** Program that counts its runs and installs something. */
function makeSetup(lab: ShipLab): { readonly command: string[]; readonly runs: () => number } {
  const count = `${lab.patchFile}.runs`;
  const program = `
    const fs = require('node:fs');
    fs.appendFileSync(${JSON.stringify(count)}, 'x');
    fs.mkdirSync('node_modules/dep', { recursive: true });
    fs.writeFileSync('node_modules/dep/index.js', fs.readFileSync('package-lock.json'));
    fs.mkdirSync('built');
    fs.writeFileSync('built/not ignored.txt', 'b');
    fs.writeFileSync('a.txt', 'changed by setup');`;
  return {
    command: [process.execPath, '-e', program],
    runs: () => (existsSync(count) ? readFileSync(count, 'utf8').length : 0),
  };
}

describe('setup of a shipped workspace', () => {
  it('runs once for each lock file, and no step changes its result for the next one', async () => {
    const folder = makeTree(FILES);
    const lab = createShipLab();
    const { command, runs } = makeSetup(lab);
    const dep = 'node_modules/dep/index.js';
    for (const spoil of [true, false, true]) {
      const opened = await lab.open(await lab.ship(folder), { setup: { command } });
      expect(readFileSync(join(opened.dir, dep), 'utf8')).toBe('1\n');
      expect(readFileSync(join(opened.dir, 'a.txt'), 'utf8')).toBe('a\n');
      if (spoil) edit(opened.dir, { [dep]: 'poison\n', 'node_modules/new': 'n' });
      const changes = await opened.collect(NOTHING);
      expect(changes.commit).toBe(undefined);
      await opened.dispose();
      edit(folder, { 'other.txt': String(spoil) });
    }
    expect(runs()).toBe(1);
    writeFileSync(join(folder, 'package-lock.json'), '2\n');
    const opened = await lab.open(await lab.ship(folder), { setup: { command } });
    expect(readFileSync(join(opened.dir, dep), 'utf8')).toBe('2\n');
    expect(runs()).toBe(2);
    await opened.dispose();
  });

  it('may create single files, also in folders of the workspace', async () => {
    const folder = makeTree({ ...FILES, 'sub/b.txt': 'b\n' });
    const lab = createShipLab();
    const names = ['new.txt', 'sub/new.txt', 'sub/deep/new.txt'];
    const program = `
      const fs = require('node:fs');
      fs.mkdirSync('sub/deep');
      for (const name of ${JSON.stringify(names)}) fs.writeFileSync(name, name);`;
    const setup = { command: [process.execPath, '-e', program] };
    for (const _ of [1, 2]) {
      const opened = await lab.open(await lab.ship(folder), { setup });
      for (const name of names) expect(readFileSync(join(opened.dir, name), 'utf8')).toBe(name);
      expect((await opened.collect(NOTHING)).commit).toBe(undefined);
      await opened.dispose();
    }
  });

  it('gets the environment of the worker without the keys of models, but those that are named (claim: queue-setup-keys)', async () => {
    const lab = createShipLab();
    const shipped = await lab.ship(makeTree(FILES));
    const names = [
      'GEMINI_API_KEY',
      'OTHER_API_KEY',
      'GOOGLE_APPLICATION_CREDENTIALS',
      'NPM_TOKEN',
    ];
    withVariables(Object.fromEntries(names.map((name) => [name, 'x'])));
    const program = `require('node:fs').writeFileSync('names.txt', ${JSON.stringify(names)}.filter((name) => name in process.env).join(' '));`;
    const read = async (variables?: readonly string[]): Promise<string> => {
      // The command is another one, because its result is kept.
      const command = [process.execPath, '-e', `${program} // ${variables}`];
      const opened = await lab.open(shipped, { setup: { command, variables } });
      const text = readFileSync(join(opened.dir, 'names.txt'), 'utf8');
      await opened.dispose();
      return text;
    };
    expect(await read()).toBe('NPM_TOKEN');
    expect(await read(['OTHER_API_KEY'])).toBe('OTHER_API_KEY NPM_TOKEN');
  });

  it('fails with the output of the command', async () => {
    const lab = createShipLab();
    const shipped = await lab.ship(makeTree(FILES));
    const program = 'console.log("no such package"); process.exit(3)';
    const setup = { command: [process.execPath, '-e', program] };
    await expect(lab.open(shipped, { setup })).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      exitCode: 3,
      stderrTail: 'no such package\n',
    });
    withVariables({ SETUP_TOKEN: 'a token of the worker' });
    const leak = {
      command: [process.execPath, '-e', 'console.log(process.env.SETUP_TOKEN); process.exit(1)'],
    };
    await expect(lab.open(shipped, { setup: leak })).rejects.toMatchObject({
      stderrTail: '[redacted]\n',
    });
    await expect(lab.open(shipped, { setup: { command: 'a && b' } })).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
    });
    const slow = {
      command: [process.execPath, '-e', 'setInterval(() => {}, 1000)'],
      timeoutMs: 300,
    };
    await expect(lab.open(shipped, { setup: slow })).rejects.toMatchObject({ code: 'TIMEOUT' });
  });
});
