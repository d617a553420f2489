import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeProcess } from '../../../src/base/process/process-identity.js';
import { cleanBatch } from '../../../src/batch/clean/clean-batch.js';
import { runBatch } from '../../../src/batch/run/run-batch.js';
import { writeSealedFile } from '../../../src/batch/state/sealed-file.js';
import { createScriptedProvider } from '../run/scripted-provider.js';
import { crashBeforeMerge, openCleanLab } from './lab.js';

const DEAD = { ...describeProcess(), id: 'dead', pid: 0x3fffffff };

/** Writes the record of a copy, as a run with this owner would have left it. */
function plantCopy(
  { stateDir, work }: { readonly stateDir: string; readonly work: string },
  owner: object,
): string {
  const id = '0123456789abcdef';
  const home = join(stateDir, `gemini-cli-provider-${id}`);
  const stage = join(home, `gemini-cli-provider-${id}`);
  mkdirSync(home);
  writeFileSync(join(home, 'owner'), id);
  mkdirSync(join(stateDir, 'isolated'), { recursive: true });
  const tree = join(home, 'tree', basename(work));
  const record = { id, kind: 'copy', root: work, home, tree, stage, owner };
  writeSealedFile(join(stateDir, 'isolated', `${id}.json`), record);
  return home;
}

describe('clean', () => {
  it('removes state and old steps, keeps results and reports, and lets the batch begin anew', async () => {
    const { out, state, stateDir, run, provider } = openCleanLab();
    await run();
    await run('out', true);
    const old = readdirSync(out).find((name) => name.startsWith('steps-')) ?? '';
    expect(old).toMatch(/^steps-\d{13}$/);
    const planned = await cleanBatch({ out, state, dryRun: true });
    expect(existsSync(stateDir)).toBe(true);
    expect(existsSync(join(out, old))).toBe(true);
    const report = await cleanBatch({ out, state });
    expect(report.removed.map(({ path }) => path)).toEqual([join(out, old), stateDir]);
    expect(planned.removed.map(({ path }) => path)).toEqual([join(out, old), stateDir]);
    expect(report.removed.every(({ bytes }) => bytes > 0)).toBe(true);
    expect(report.kept).toEqual([]);
    expect(readdirSync(state)).toEqual([]);
    expect(readdirSync(out)).toEqual(expect.arrayContaining(['report.html', 'steps']));
    expect(await run()).toMatchObject({ outcome: 'succeeded', steps: [{ reused: false }] });
    expect(provider.calls).toHaveLength(3);
  });

  it('with all removes everything of the batch, also after an earlier clean-up', async () => {
    const { out, state, run } = openCleanLab();
    await run();
    mkdirSync(join(out, 'kept'));
    writeFileSync(join(out, 'kept', 'x.patch'), 'patch');
    await cleanBatch({ out, state });
    expect(readdirSync(join(out, 'kept'))).toEqual(['x.patch']);
    const { removed } = await cleanBatch({ out, state, all: true });
    expect(removed.map(({ path }) => basename(path)).sort()).toEqual([
      '.gitignore',
      'kept',
      'manifest.json',
      'report.html',
      'report.json',
      'steps',
    ]);
    expect(existsSync(out)).toBe(false);
  });

  it('removes nothing while the batch runs, and names its process', async () => {
    const { out, state, stateDir, work, folder } = openCleanLab();
    let release = (): void => {};
    let begin = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const provider = createScriptedProvider(async () => {
      begin();
      await released;
      return {};
    });
    const plan = { defaults: { workingDir: work }, steps: [{ id: 'x', prompt: 'x' }] };
    const run = runBatch(plan, { out, state, provider, baseDir: folder });
    await begun;
    for (const dryRun of [true, false]) {
      await expect(cleanBatch({ out, state, force: true, dryRun })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringContaining(`process ${process.pid}`),
      });
    }
    expect(existsSync(stateDir)).toBe(true);
    release();
    expect(await run).toMatchObject({ outcome: 'succeeded' });
  });

  it('refuses to lose finished work that is not merged, unless forced', async () => {
    const { out, state, stateDir } = await crashBeforeMerge();
    expect(readdirSync(join(stateDir, 'saved'))).toHaveLength(2);
    for (const dryRun of [true, false]) {
      await expect(cleanBatch({ out, state, dryRun })).rejects.toMatchObject({
        message: expect.stringMatching(/is not merged yet and would be lost: x$/),
        hint: expect.stringContaining('--force'),
      });
    }
    expect(readdirSync(join(stateDir, 'saved'))).toHaveLength(2);
    await cleanBatch({ out, state, force: true });
    expect(existsSync(stateDir)).toBe(false);
  });

  it('counts all saved changes if the ledger is lost', async () => {
    const { out, state, stateDir } = await crashBeforeMerge();
    rmSync(join(stateDir, 'ledger.jsonl'));
    await expect(cleanBatch({ out, state })).rejects.toThrow('would be lost');
  });

  it('removes workspaces of dead owners, and never those of living ones', async () => {
    const lab = openCleanLab();
    const { out, state, stateDir, run } = lab;
    await run();
    const home = plantCopy(lab, { ...describeProcess(), id: 'other run of this process' });
    const forced = { out, state, force: true };
    await expect(cleanBatch(forced)).rejects.toThrow(`${home} is in use by process ${process.pid}`);
    rmSync(home, { recursive: true });
    plantCopy(lab, { ...DEAD, host: 'far-away', boot: 'another', pidNamespace: 'another' });
    await expect(cleanBatch({ out, state })).rejects.toThrow('may be in use by process');
    expect(existsSync(home)).toBe(true);
    rmSync(home, { recursive: true });
    plantCopy(lab, DEAD);
    await cleanBatch({ out, state });
    expect(existsSync(stateDir)).toBe(false);
  });

  it('keeps the state while a workspace of it is left', async () => {
    const lab = openCleanLab();
    const { out, state, stateDir, run } = lab;
    await run();
    const home = plantCopy({ ...lab, work: lab.folder }, DEAD);
    const { kept } = await cleanBatch({ out, state });
    expect(kept.map(({ path }) => path)).toEqual([home, stateDir]);
    expect(existsSync(join(stateDir, 'ledger.jsonl'))).toBe(true);
  });
});

describe('clean refuses', () => {
  it('a folder that belongs to no batch', async () => {
    const { folder, state } = openCleanLab();
    writeFileSync(join(folder, 'report.json'), 'mine');
    await expect(cleanBatch({ out: folder, state, all: true, force: true })).rejects.toThrow(
      `${folder} is no output folder of a batch`,
    );
    expect(existsSync(join(folder, 'report.json'))).toBe(true);
  });

  it('an output folder whose state lies elsewhere, unless forced', async () => {
    const { out, run, folder, stateDir } = openCleanLab();
    await run();
    const state = join(folder, 'wrong');
    await expect(cleanBatch({ out, state })).rejects.toThrow('The state of the batch in');
    await cleanBatch({ out, state, force: true, all: true });
    expect(existsSync(out)).toBe(false);
    expect(existsSync(stateDir)).toBe(true);
  });

  it('a state folder of another batch, without a key, or open to other users', async () => {
    const { out, state, stateDir, run, stateOf } = openCleanLab();
    await run();
    cpSync(stateDir, stateOf('other'), { recursive: true });
    await expect(cleanBatch({ out: join(out, '..', 'other'), state })).rejects.toThrow(
      'no signed file in it says so',
    );
    chmodSync(stateDir, 0o777);
    await expect(cleanBatch({ out, state })).rejects.toThrow('is writable by other users');
    chmodSync(stateDir, 0o700);
    rmSync(join(stateDir, 'key'));
    await expect(cleanBatch({ out, state })).rejects.toThrow('no signed file in it says so');
    expect(existsSync(join(stateDir, 'ledger.jsonl'))).toBe(true);
  });

  it('to go through links, and to remove files that no batch has written', async () => {
    const { out, state, run, folder } = openCleanLab();
    await run();
    const victim = join(folder, 'victim');
    mkdirSync(join(victim, 'x'), { recursive: true });
    for (const name of ['x/events.jsonl', 'x.patch', 'plain']) {
      writeFileSync(join(victim, name), 'precious');
    }
    symlinkSync(victim, join(out, 'steps-1700000000000'));
    symlinkSync(victim, join(out, 'kept'));
    symlinkSync(join(victim, 'plain'), join(out, 'ledger-1700000000000.jsonl'));
    symlinkSync(join(victim, 'x'), join(out, 'steps', 'linked'));
    rmSync(join(out, 'report.html'));
    symlinkSync(join(victim, 'plain'), join(out, 'report.html'));
    mkdirSync(join(out, 'steps-1700000000001', 'mine'), { recursive: true });
    writeFileSync(join(out, 'steps-1700000000001', 'mine', 'notes.txt'), 'mine');
    mkdirSync(join(out, 'steps-draft'));
    const { kept } = await cleanBatch({ out, state, all: true });
    expect(kept.map(({ path }) => basename(path)).sort()).toEqual([
      'kept',
      'ledger-1700000000000.jsonl',
      'report.html',
      'steps',
      'steps-1700000000000',
      'steps-1700000000001',
    ]);
    expect(readdirSync(victim).sort()).toEqual(['plain', 'x', 'x.patch']);
    expect(readdirSync(join(victim, 'x'))).toEqual(['events.jsonl']);
    expect(existsSync(join(out, 'steps-1700000000001', 'mine', 'notes.txt'))).toBe(true);
    expect(existsSync(join(out, 'steps-draft'))).toBe(true);
  });

  it('a link in the place of the folder with the id', async () => {
    const { out, state, run, folder, stateDir } = openCleanLab();
    await run();
    rmSync(join(out, '.batch'), { recursive: true });
    const victim = join(folder, 'victim');
    mkdirSync(victim);
    writeFileSync(join(victim, 'id.json'), 'precious');
    symlinkSync(victim, join(out, '.batch'));
    await cleanBatch({ out, state, all: true });
    expect(readdirSync(victim)).toEqual(['id.json']);
    expect(existsSync(stateDir)).toBe(false);
  });
});
