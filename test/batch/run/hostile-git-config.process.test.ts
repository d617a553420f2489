import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PathCommitter } from '../../../src/batch/commit/commit-paths.js';
import { toBytePath } from '../../../src/batch/isolation/byte-path.js';
import { runBatch } from '../../../src/batch/run/run-batch.js';
import { takeSnapshot } from '../../../src/step/manifest/snapshot.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { KINDS, makeRepository } from '../isolation/support.js';
import { createScriptedProvider } from './scripted-provider.js';

const HOOKS = [
  'applypatch-msg',
  'commit-msg',
  'post-checkout',
  'post-commit',
  'post-index-change',
  'post-merge',
  'pre-auto-gc',
  'pre-commit',
  'prepare-commit-msg',
  'reference-transaction',
];

/** Creates a repository whose configuration names a program wherever git would run one by itself. */
function makeHostileRepository() {
  const repository = makeRepository({ 'a.txt': 'one\n', '.gitattributes': '* diff=evil\n' });
  const { git } = repository;
  const programs = makeTree();
  const log = join(programs, 'log');
  const plant = (name: string): string => {
    const program = join(programs, name);
    writeFileSync(program, `#!/bin/sh\necho ${name} >> ${log}\ncat\n`, { mode: 0o755 });
    return program;
  };
  mkdirSync(join(programs, 'hooks'));
  for (const hook of HOOKS) plant(`hooks/${hook}`);
  git('config', 'core.hooksPath', join(programs, 'hooks'));
  for (const key of [
    'core.fsmonitor',
    'core.pager',
    'core.editor',
    'core.askPass',
    'core.sshCommand',
    'diff.external',
    'diff.evil.command',
    'diff.evil.textconv',
    'gpg.program',
    'gpg.ssh.program',
  ]) {
    git('config', key, plant(key));
  }
  for (const key of ['log.showSignature', 'commit.gpgSign', 'tag.gpgSign']) {
    git('config', key, 'true');
  }
  const ran = (): string => (existsSync(log) ? readFileSync(log, 'utf8') : '');
  return { ...repository, ran };
}

describe('programs in the configuration of a repository (claim: git-runs-no-program)', () => {
  it.each(KINDS)(
    'are not run by merges, conflicts and commits of a batch: %s',
    async (isolation) => {
      const { folder, ran } = makeHostileRepository();
      const provider = createScriptedProvider(({ prompt }) => ({
        write: { 'a.txt': `${prompt}\n`, [`-${prompt} --exec=x`]: 'new\n' },
      }));
      const defaults = { workingDir: folder, isolation, commit: true } as const;
      const steps = ['first', 'second'].map((id) => ({ id, prompt: id }));
      const report = await runBatch({ defaults, steps }, { provider, out: makeTree() });
      expect(report.counts).toMatchObject({ succeeded: 1, failed: 1 });
      expect(
        existsSync(join(folder, '-first --exec=x')) || existsSync(join(folder, '-second --exec=x')),
      ).toBe(true);
      expect(ran()).toBe('');
    },
  );

  it('are not run by the snapshot of a workspace', async () => {
    const { folder, git, ran } = makeHostileRepository();
    const snapshot = await takeSnapshot({
      workspaceDirs: [folder],
      excludedDirs: [],
      mayAskGit: true,
    });
    writeFileSync(join(folder, 'a.txt'), 'two\n');
    git(
      '-c',
      'core.hooksPath=/dev/null',
      '-c',
      'core.fsmonitor=false',
      '-c',
      'commit.gpgSign=false',
      'commit',
      '-qam',
      'x',
    );
    expect((await snapshot.changes()).map(({ path }) => path)).toEqual([join(folder, 'a.txt')]);
    expect(ran()).toBe('');
  });

  it('are not run by the search for a commit that was made and is signed', async () => {
    const { folder, git, ran } = makeHostileRepository();
    const quiet = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false'];
    const plain = git(...quiet, 'cat-file', 'commit', 'HEAD');
    const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n';
    const file = join(makeTree({ commit: plain.replace('\n\n', `\n${signature}\n`) }), 'commit');
    const signed = git(...quiet, 'hash-object', '-t', 'commit', '-w', file).trim();
    git(...quiet, 'update-ref', 'HEAD', signed);
    const committer = new PathCommitter(folder, join(makeTree(), 'index'));
    await committer.commit({ paths: [toBytePath('a.txt')], message: 'x\n', isLate: true });
    expect(ran()).toBe('');
  });
});
