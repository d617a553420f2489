import { describe, expect, it } from 'vitest';
import { makeTree } from '../../base/fs/make-tree.js';
import { git } from '../../base/git/git-as-user.js';
import { combine, createRandom, makeBase, makeEdits } from './random-edits.js';
import { edit, merge, open, read } from './support.js';

const SEEDS = {
  worktree: Array.from({ length: 3 }, (_, index) => 100 + index),
  copy: Array.from({ length: 12 }, (_, index) => 1000 + index),
};

describe.each(['worktree', 'copy'] as const)(
  'random edits of two steps and the user in a %s',
  (kind) => {
    it.each(SEEDS[kind])(
      'give the expected merge, or a conflict and an unchanged tree (%i)',
      async (seed) => {
        const random = createRandom(seed);
        const base = makeBase();
        const folder = makeTree();
        edit(folder, base);
        if (kind === 'worktree') git(folder, 'init', '-q', '--template=');
        const stateDir = makeTree();
        const steps = await Promise.all(
          [1, 2].map(() => open({ kind, workspaceDir: folder, stateDir })),
        );
        for (const { dir } of [{ dir: folder }, ...steps]) edit(dir, makeEdits(base, random));
        for (const step of steps) {
          const before = read(folder);
          const wanted = combine(base, before, read(step.dir));
          const { merged } = await merge(step);
          if (!merged) expect(read(folder)).toEqual(before);
          if (wanted === 'unsure') continue;
          expect(merged).toBe(wanted !== undefined);
          if (wanted !== undefined) expect(read(folder)).toEqual(wanted);
        }
      },
    );
  },
);
