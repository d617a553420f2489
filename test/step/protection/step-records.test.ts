import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { describeSealedRecords } from '../../../src/batch/state/sealed-records.js';
import { openStateKey } from '../../../src/batch/state/state-key.js';
import { type ConfigValues, resolveConfig } from '../../../src/config/resolve-config.js';
import { makeFolder } from '../../fixtures/cli/support.js';

const ANY = { hasUnseen: true, claimed: new Set<string>() };
let records = '';

beforeEach(() => {
  const state = makeFolder();
  records = join(state, 'gemini-cli-provider/steps');
  vi.stubEnv('XDG_STATE_HOME', state);
  return () => vi.unstubAllEnvs();
});

/** Loads the modules anew: what they remember is gone, as in another process. */
async function startProcess() {
  vi.resetModules();
  const { ProtectedFiles } = await import('../../../src/step/protection/protected-files.js');
  const { keepRecordsIn } = await import('../../../src/step/protection/step-records.js');
  let steps = 0;
  const protect = async (workingDir: string, values: ConfigValues = {}, isDeep = true) => {
    const config = resolveConfig(values);
    const generationId = `step-${process.hrtime.bigint()}-${++steps}`;
    const geminiHome = join(makeFolder(), '.gemini');
    const step = { config, workingDir, workspaceDirs: [workingDir], geminiHome, generationId };
    const files = await ProtectedFiles.take(step, isDeep);
    return { files, generationId, changed: files.changedEarlier.map(nameIn(workingDir)) };
  };
  return { protect, keepRecordsIn };
}

function nameIn(folder: string) {
  return ({ path, isAssumed }: { readonly path: string; readonly isAssumed?: boolean }) =>
    `${path.slice(folder.length + 1)}${isAssumed ? ' (assumed)' : ''}`;
}

function put(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** Makes the record of a step look like that of a process that has died. */
function killOwner(generationId: string): void {
  const file = join(records, `${generationId}.json`);
  const record = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...record, owner: { ...record.owner, startTime: 1 } }));
}

const FILES = { '.gemini/settings.json': '{}', '.env': 'A=1', 'a/.env': 'B=1' };

describe('a protected file that a step of another process has changed', () => {
  it('is named as long as it stays so (claim: protected-change-announced)', async () => {
    const folder = makeFolder(FILES);
    const { files } = await (await startProcess()).protect(folder, { approvalMode: 'yolo' });
    put(join(folder, '.gemini/settings.json'), '{"hooks":{}}');
    rmSync(join(folder, '.env'));
    await files.settle(ANY);
    await files.release();
    const later = await (await startProcess()).protect(folder, {}, false);
    expect(later.changed).toEqual(['.gemini/settings.json', '.env']);
    await later.files.release();
    put(join(folder, '.gemini/settings.json'), '{}');
    put(join(folder, '.env'), 'by the user');
    expect((await (await startProcess()).protect(folder)).changed).toEqual([]);
  });

  it('is named again after a later change of it was undone', async () => {
    const folder = makeFolder(FILES);
    const { protect } = await startProcess();
    const yolo = await protect(folder, { approvalMode: 'yolo' });
    put(join(folder, '.env'), 'A=2');
    await yolo.files.settle(ANY);
    await yolo.files.release();
    const second = await protect(folder);
    put(join(folder, '.env'), 'A=3');
    expect(await second.files.settle(ANY)).toHaveLength(1);
    await second.files.release();
    expect(readFileSync(join(folder, '.env'), 'utf8')).toBe('A=2');
    expect((await protect(folder)).changed).toEqual(['.env']);
  });

  it('is found through a link to the workspace', async () => {
    const folder = makeFolder(FILES);
    const link = join(makeFolder(), 'link');
    symlinkSync(folder, link);
    const { files } = await (await startProcess()).protect(link, { approvalMode: 'yolo' });
    put(join(folder, '.env'), 'A=2');
    await files.settle(ANY);
    await files.release();
    expect((await (await startProcess()).protect(folder)).changed).toEqual(['.env']);
  });

  it('is not looked for in other folders with the same files', async () => {
    const folder = makeFolder(FILES);
    const { files } = await (await startProcess()).protect(folder, { approvalMode: 'yolo' });
    put(join(folder, '.env'), 'A=2');
    await files.settle(ANY);
    await files.release();
    const other = makeFolder({ '.env': 'A=2' });
    expect((await (await startProcess()).protect(other)).changed).toEqual([]);
  });
});

describe('a step whose process was killed', () => {
  it('is compared with the files of its beginning, once', async () => {
    const folder = makeFolder(FILES);
    const killed = await (await startProcess()).protect(folder);
    killOwner(killed.generationId);
    put(join(folder, '.gemini/settings.json'), '{"hooks":{}}');
    put(join(folder, 'b/.gemini/settings.json'), '{}');
    rmSync(join(folder, 'a/.env'));
    const expected = [
      '.gemini/settings.json (assumed)',
      'b/.gemini/settings.json (assumed)',
      'a/.env (assumed)',
    ];
    const next = await (await startProcess()).protect(folder);
    expect(next.changed).toEqual(expected);
    await next.files.release();
    const [left] = readdirSync(records).map((name) => readFileSync(join(records, name), 'utf8'));
    expect(left).not.toContain('before');
    expect((await (await startProcess()).protect(folder)).changed).toEqual(expected);
  });

  it('is forgotten if it has changed nothing', async () => {
    const folder = makeFolder(FILES);
    const killed = await (await startProcess()).protect(folder, {}, false);
    killOwner(killed.generationId);
    const next = await (await startProcess()).protect(folder);
    expect(next.changed).toEqual([]);
    await next.files.release();
    expect(readdirSync(records)).toEqual([]);
  });

  it('counts after a restart of the machine, too', async () => {
    const folder = makeFolder(FILES);
    const killed = await (await startProcess()).protect(folder);
    const file = join(records, `${killed.generationId}.json`);
    const record = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...record, owner: { ...record.owner, boot: 'other' } }));
    put(join(folder, '.env'), 'A=2');
    expect((await (await startProcess()).protect(folder)).changed).toEqual(['.env (assumed)']);
    expect(readFileSync(file, 'utf8')).not.toContain('before');
  });

  it('keeps its record while its process may be at work', async () => {
    const folder = makeFolder(FILES);
    const running = await (await startProcess()).protect(folder);
    put(join(folder, '.env'), 'A=2');
    expect((await (await startProcess()).protect(folder)).changed).toEqual(['.env (assumed)']);
    const record = readFileSync(join(records, `${running.generationId}.json`), 'utf8');
    expect(JSON.parse(record)).toMatchObject({ isDeep: true, owner: { pid: process.pid } });
  });

  it('keeps its record if its files could not be read at the end', async () => {
    const folder = makeFolder(FILES);
    const { protect } = await startProcess();
    const { files } = await protect(folder);
    put(join(folder, '.env'), 'A=2');
    await files.release(false);
    expect((await protect(folder)).changed).toEqual(['.env (assumed)']);
  });
});

describe('records of steps', () => {
  it('are private, and gone when a step has changed nothing', async () => {
    const folder = makeFolder(FILES);
    const { files, generationId } = await (await startProcess()).protect(folder);
    expect(statSync(records).mode & 0o777).toBe(0o700);
    expect(statSync(join(records, `${generationId}.json`)).mode & 0o777).toBe(0o600);
    await files.release();
    expect(readdirSync(records)).toEqual([]);
  });

  it('are neither read nor written in a folder that other users can change', async () => {
    const folder = makeFolder(FILES);
    mkdirSync(records, { recursive: true });
    chmodSync(records, 0o777);
    const { files } = await (await startProcess()).protect(folder, { approvalMode: 'yolo' });
    put(join(folder, '.env'), 'A=2');
    await files.settle(ANY);
    await files.release();
    expect(readdirSync(records)).toEqual([]);
    put(join(records, 'x.json'), '{}');
    expect((await (await startProcess()).protect(folder)).changed).toEqual([]);
  });

  it('do not create the home of the user', async () => {
    const home = join(makeFolder(), 'missing');
    vi.stubEnv('HOME', home);
    vi.stubEnv('XDG_STATE_HOME', '');
    await (await startProcess()).protect(makeFolder(FILES));
    expect(existsSync(home)).toBe(false);
  });

  it.each(['', '[]', '{', '{"owner":1}', '{"generationId":"g","workspace":"/","changed":{"a":1}}'])(
    'of another form are left out: %s',
    async (text) => {
      const folder = makeFolder(FILES);
      mkdirSync(records, { recursive: true, mode: 0o700 });
      put(join(records, 'x.json'), text);
      put(join(records, 'not a record'), text);
      expect((await (await startProcess()).protect(folder)).changed).toEqual([]);
    },
  );

  it('are limited in number and age', async () => {
    mkdirSync(records, { recursive: true, mode: 0o700 });
    for (let index = 0; index < 250; index++) put(join(records, `r${index}.json`), '{}');
    const old = new Date(Date.now() - 40 * 24 * 3_600_000);
    for (let index = 0; index < 100; index++) utimesSync(join(records, `r${index}.json`), old, old);
    const { files } = await (await startProcess()).protect(makeFolder(FILES));
    expect(readdirSync(records)).toHaveLength(151);
    await files.release();
    for (let index = 0; index < 250; index++) put(join(records, `s${index}.json`), '{}');
    await (await startProcess()).protect(makeFolder(FILES));
    expect(readdirSync(records)).toHaveLength(201);
  });
});

describe('records of a batch', () => {
  async function changeInCopy(state: string, workspace: string) {
    const { protect, keepRecordsIn } = await startProcess();
    const end = keepRecordsIn(describeSealedRecords(state), [workspace]);
    const copy = makeFolder(FILES);
    const { files } = await protect(copy, { approvalMode: 'yolo' });
    put(join(copy, '.env'), 'A=2');
    await files.settle(ANY);
    await files.release();
    put(join(workspace, '.env'), 'A=2');
    rmSync(copy, { recursive: true });
    return end;
  }

  it('hold for other copies of the workspace, also without those of the user', async () => {
    const state = makeFolder();
    chmodSync(state, 0o700);
    openStateKey(state);
    await changeInCopy(state, makeFolder(FILES));
    rmSync(records, { recursive: true });
    const { protect, keepRecordsIn } = await startProcess();
    const end = keepRecordsIn(describeSealedRecords(state), []);
    onTestFinished(end);
    expect((await protect(makeFolder({ '.env': 'A=2' }))).changed).toEqual(['.env']);
    expect((await protect(makeFolder({ '.env': 'A=3' }))).changed).toEqual([]);
  });

  it('are not believed if they were changed', async () => {
    const state = makeFolder();
    chmodSync(state, 0o700);
    openStateKey(state);
    await changeInCopy(state, makeFolder(FILES));
    for (const name of readdirSync(join(state, 'steps'))) {
      const file = join(state, 'steps', name);
      writeFileSync(file, readFileSync(file, 'utf8').replace('step-', 'stop-'));
    }
    const { protect, keepRecordsIn } = await startProcess();
    onTestFinished(keepRecordsIn(describeSealedRecords(state), []));
    expect((await protect(makeFolder({ '.env': 'A=2' }))).changed).toEqual([]);
  });

  it('are entered for the workspace when the batch ends', async () => {
    const state = makeFolder();
    chmodSync(state, 0o700);
    openStateKey(state);
    const workspace = makeFolder(FILES);
    const end = await changeInCopy(state, workspace);
    expect((await (await startProcess()).protect(workspace)).changed).toEqual([]);
    await end();
    expect((await (await startProcess()).protect(workspace)).changed).toEqual(['.env']);
  });
});
