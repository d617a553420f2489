import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { runBatch } from 'gemini-cli-provider/batch';
import { describe, expect, it } from 'vitest';
import { GEMINI, makeFolder, openLab, read } from './support.js';
import { running } from './tool-calls.js';

/** Replaces a linked folder by a real copy and adds a file to it. */
const unlink = (link: string): string => {
  return `cp -rL ${link} tmp && rm ${link} && mv tmp ${link} && echo three > ${link}/z.txt`;
};

describe.each(['worktree', 'copy'] as const)('a step of the real CLI in a %s', (isolation) => {
  it('replaces linked folders by real copies, targets inside and outside (claim: merge-sees-links)', async () => {
    const lab = await openLab(
      [running(`${unlink('inner')} && ${unlink('outer')}`), { text: 'done' }],
      { files: { 'real/x.txt': 'one\n', 'real/sub/y.txt': 'two\n', 'a.txt': 'a\n' } },
    );
    const { workspace } = lab;
    const outside = makeFolder({ 'x.txt': 'one\n', 'sub/y.txt': 'two\n' });
    symlinkSync('real', join(workspace, 'inner'));
    symlinkSync(outside, join(workspace, 'outer'));
    execFileSync('git', ['-C', workspace, 'init', '-q', '--template=']);
    const config = {
      model: 'gemini-2.5-flash',
      approvalMode: 'yolo' as const,
      trustWorkspace: true,
      cliPath: GEMINI,
      env: lab.model.env,
    };
    const plan = {
      defaults: { workingDir: workspace, isolation, retries: 0 },
      steps: [{ id: 'unlink', prompt: 'go' }],
    };
    const report = await runBatch(plan, {
      out: join(makeFolder(), 'out'),
      baseDir: workspace,
      config,
    });
    expect(report.steps[0]).toMatchObject({ state: 'succeeded' });
    for (const link of ['inner', 'outer']) {
      expect(lstatSync(join(workspace, link)).isDirectory()).toBe(true);
      expect(read(workspace, link, 'x.txt')).toBe('one\n');
      expect(read(workspace, link, 'sub/y.txt')).toBe('two\n');
      expect(read(workspace, link, 'z.txt')).toBe('three\n');
    }
    expect(readdirSync(outside).sort()).toEqual(['sub', 'x.txt']);
    expect(readdirSync(join(workspace, 'real')).sort()).toEqual(['sub', 'x.txt']);
    const files = report.steps[0]?.files.map(({ path, kind, confirmed }) => [
      path,
      kind,
      confirmed,
    ]);
    const created = ['sub/y.txt', 'x.txt', 'z.txt'].map((name) => [name, 'created', true]);
    expect(files?.sort()).toEqual(
      ['inner', 'outer'].flatMap((link) => [
        [link, 'deleted', true],
        ...created.map(([name, ...rest]) => [`${link}/${name}`, ...rest]),
      ]),
    );
  });
});
