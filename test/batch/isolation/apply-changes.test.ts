import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { applyChanges, prepareMerge } from '../../../src/batch/isolation/apply-changes.js';
import { checkChanges, type TreeChange } from '../../../src/batch/isolation/check-changes.js';
import { readJournal, writeJournal } from '../../../src/batch/isolation/merge-journal.js';
import { stageChanges, stagedPath } from '../../../src/batch/isolation/stage-changes.js';
import { undoChanges } from '../../../src/batch/isolation/undo-changes.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { edit, read } from './support.js';

const BEFORE = {
  'a.txt': 'a\n',
  'gone/deep/x.txt': 'x\n',
  'file-to-folder': 'f\n',
  'folder-to-file/one': '1\n',
  'folder-to-file/sub/two': '2\n',
  link: '-> a.txt',
  'keep.txt': 'k\n',
};
const NEW = {
  'a.txt': '+xA\n',
  'file-to-folder/in/side': 'i\n',
  'folder-to-file': 'now a file\n',
  link: '-> keep.txt',
  'new/deep/y.txt': 'y\n',
};
const REMOVED = [
  'gone/deep/x.txt',
  'file-to-folder',
  'folder-to-file/one',
  'folder-to-file/sub/two',
];
const AFTER = { ...NEW, 'keep.txt': 'k\n' };

async function prepare() {
  const [root, sources, stage, state] = [makeTree(), makeTree(), makeTree(), makeTree()];
  edit(root, BEFORE);
  mkdirSync(join(root, 'empty-to-file/sub'), { recursive: true });
  edit(sources, { ...NEW, 'empty-to-file': 'e\n' });
  const wanted: TreeChange[] = [
    ...[...Object.keys(NEW), 'empty-to-file'].map((path) => {
      const isNew = !(path in BEFORE);
      return { path, source: Buffer.from(join(sources, path)), isNew };
    }),
    ...REMOVED.map((path) => ({ path, isNew: false })),
  ];
  const { changes, occupied } = checkChanges(root, wanted);
  expect(occupied).toEqual([]);
  const staged = await stageChanges(changes, { root, stage, trustModes: true });
  const options = { root, stage, journalFile: join(state, 'journal'), keptFolder: '' };
  return { root, stage, staged, options, state };
}

describe('a merge', () => {
  it('applies all changes, leaves no empty folder, and can be undone', async () => {
    const { root, staged, options, state } = await prepare();
    applyChanges(staged, options);
    expect(read(root)).toEqual({ ...AFTER, 'empty-to-file': 'e\n' });
    expect(existsSync(join(root, 'gone'))).toBe(false);
    expect(readdirSync(state)).toEqual(['journal']);
    const journal = readJournal(options.journalFile);
    if (journal === undefined) throw new Error('there is no journal');
    expect(undoChanges(journal)).toEqual({ left: [], failed: [] });
    expect(read(root)).toEqual(BEFORE);
  });

  it('is undone completely if one change fails', async () => {
    const { root, staged, options, state } = await prepare();
    // The staged file of one change is missing.
    unlinkSync(
      stagedPath(
        options.stage,
        staged.findIndex(({ path }) => path === 'new/deep/y.txt'),
      ),
    );
    expect(() => applyChanges(staged, options)).toThrow('ENOENT');
    expect(read(root)).toEqual(BEFORE);
    expect(existsSync(join(root, 'new'))).toBe(false);
    expect(existsSync(join(root, 'empty-to-file'))).toBe(true);
    expect(readdirSync(state)).toEqual([]);
  });

  it('is undone if a file is not on the disk as it was staged (claim: merge-verified)', async () => {
    const { root, staged, options, state } = await prepare();
    const doubted = staged.map((change) => {
      const isDoubted = change.path === 'new/deep/y.txt' && change.staged !== undefined;
      return isDoubted ? { ...change, staged: { ...change.staged, bytes: '999' } } : change;
    });
    const failure = expect.objectContaining({ paths: ['new/deep/y.txt'] });
    expect(() => applyChanges(doubted, options)).toThrow(failure);
    // The file itself stays: by its identity, another program has written it.
    expect(read(root)).toEqual({ ...BEFORE, 'new/deep/y.txt': 'y\n' });
    expect(readdirSync(state)).toEqual([]);
  });

  it('is undone completely if a file was changed or created meanwhile', async () => {
    for (const path of ['a.txt', 'new/deep/y.txt', 'gone/deep/x.txt', 'folder-to-file/three']) {
      const { root, staged, options } = await prepare();
      edit(root, { [path]: 'by the user\n' });
      expect(() => applyChanges(staged, options)).toThrow();
      expect(read(root)).toEqual({ ...BEFORE, [path]: 'by the user\n' });
    }
  });
});

describe('an interrupted merge', () => {
  it('can be undone after any number of moves, even twice', async () => {
    const { staged } = await prepare();
    expect(staged).toHaveLength(10);
    for (let count = 0; count <= staged.length; count++) {
      const { root, staged, options } = await prepare();
      const { moves } = prepareMerge(staged, options);
      for (const move of moves.slice(0, count)) move();
      const journal = readJournal(options.journalFile);
      if (journal === undefined) throw new Error('there is no journal');
      expect(undoChanges(journal)).toEqual({ left: [], failed: [] });
      expect(undoChanges(journal)).toEqual({ left: [], failed: [] });
      expect(read(root)).toEqual(BEFORE);
      expect(existsSync(join(root, 'empty-to-file'))).toBe(true);
      expect(existsSync(join(root, 'new'))).toBe(false);
    }
  });

  it('keeps the originals if they cannot be restored', async () => {
    const { root, staged, options } = await prepare();
    const { journal, moves } = prepareMerge(staged, options);
    for (const move of moves) move();
    // A file blocks the folder of the original.
    edit(root, { gone: 'in the way\n' });
    expect(undoChanges(journal)).toEqual({ left: [], failed: ['gone/deep/x.txt'] });
    edit(root, { gone: null });
    expect(undoChanges(journal)).toEqual({ left: [], failed: [] });
    expect(read(root)).toEqual(BEFORE);
  });

  it('leaves files that another program has changed since', async () => {
    const { root, staged, options } = await prepare();
    const { journal, moves } = prepareMerge(staged, options);
    for (const move of moves) move();
    const since = {
      'a.txt': 'by the user\n',
      'gone/deep/x.txt': 'again\n',
      'empty-to-file': 'mine\n',
    };
    edit(root, since);
    expect(undoChanges(journal)).toEqual({ left: ['a.txt', 'empty-to-file'], failed: [] });
    expect(read(root)).toEqual({ ...BEFORE, ...since });
  });
});

describe('a journal', () => {
  it.each([
    ['an absolute path', '/etc/x'],
    ['a path upwards', 'a/../../x'],
    ['an empty name', 'a//x'],
  ])('with %s is not believed, although it is signed (claim: clean-up-in-plan)', (_, path) => {
    const [root, file] = [makeTree(), join(makeTree(), 'journal')];
    const change = { path, replacesFolder: false };
    writeJournal(file, { root, stage: root, changes: [change], newFolders: [] });
    expect(readJournal(file)).toBeUndefined();
    writeJournal(file, { root, stage: root, changes: [], newFolders: [path] });
    expect(readJournal(file)).toBeUndefined();
  });

  it('that is changed, copied or not signed is not believed (claim: state-signed)', () => {
    const [root, folder] = [makeTree(), makeTree()];
    const journal = { root, stage: root, changes: [], newFolders: [] };
    writeJournal(join(folder, 'a.journal'), journal);
    const text = readFileSync(join(folder, 'a.journal'), 'utf8');
    writeFileSync(join(folder, 'b.journal'), text);
    writeFileSync(join(folder, 'c.journal'), JSON.stringify(journal));
    writeFileSync(join(folder, 'd.journal'), text.replace(root, '/'));
    const names = ['a', 'b', 'c', 'd'].map((name) => readJournal(join(folder, `${name}.journal`)));
    expect(names).toEqual([journal, undefined, undefined, undefined]);
  });

  it('reverts nothing behind a link that has replaced a folder since (claim: clean-up-in-plan)', async () => {
    const { root, staged, options } = await prepare();
    applyChanges(staged, options);
    const outside = makeTree({ 'y.txt': 'precious', 'deep/x.txt': 'precious' });
    edit(root, { new: null, gone: null });
    symlinkSync(outside, join(root, 'new'));
    symlinkSync(outside, join(root, 'gone'));
    edit(outside, { 'deep/x.txt': null });
    const journal = readJournal(options.journalFile);
    if (journal === undefined) throw new Error('there is no journal');
    expect(undoChanges(journal)).toEqual({ left: ['gone/deep/x.txt'], failed: [] });
    expect(read(outside)).toEqual({ 'y.txt': 'precious' });
  });
});
