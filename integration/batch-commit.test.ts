import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startBatch } from './batch-command.js';
import { type Lab, openLab } from './support.js';
import { writing } from './tool-calls.js';

const PLAN = `
name: commits
concurrency: 1
vars: { kind: feat }
defaults: { model: gemini-2.5-flash, commit: true }
onFinish: { command: sh, args: ["-c", "echo $GEMINI_CLI_PROVIDER_BATCH_OUTCOME; git log --format=%s"] }
steps:
  - { id: one, prompt: write one }
  - { id: two, prompt: write two, isolation: worktree, commit: "{{kind}}: {{id}}" }
`;

/** Git that hangs at the first commit, until it is ended. The marker holds its process id. */
const slowGit = (git: string, marker: string): string => `#!/bin/sh
case " $* " in
  *" commit-tree "*) if [ ! -e '${marker}' ]; then echo $$ > '${marker}'; exec sleep 120; fi ;;
esac
exec '${git}' "$@"
`;

function start(lab: Lab, bin: string, ...args: string[]) {
  const PATH = `${bin}:${process.env['PATH']}`;
  return startBatch(lab, ['plan.yaml', '--out', 'out', '--trust-workspace', ...args], { PATH });
}

it('commits steps of the real CLI, after a kill -9 between the result and the commit, too', async () => {
  const lab = await openLab(
    [
      { prompt: /^write one/, turns: [writing('one.txt', '1\n'), { text: 'Wrote one.' }] },
      { prompt: /^write two/, turns: [writing('two.txt', '2\n'), { text: 'Wrote two.' }] },
    ],
    { files: { 'plan.yaml': PLAN, 'user.txt': 'u\n', '.gitignore': '/bin\n/committing\n' } },
  );
  const { workspace } = lab;
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', workspace, ...args], { encoding: 'utf8' });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'User');
  git('config', 'user.email', 'user@example.com');
  git('add', '-A');
  git('commit', '-qm', 'first');
  writeFileSync(join(workspace, 'user.txt'), 'staged\n');
  git('add', 'user.txt');

  const bin = join(workspace, 'bin');
  const marker = join(workspace, 'committing');
  execFileSync('mkdir', [bin]);
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  writeFileSync(join(bin, 'git'), slowGit(real, marker));
  chmodSync(join(bin, 'git'), 0o755);
  const killed = start(lab, bin);
  while (!existsSync(marker) || readFileSync(marker, 'utf8') === '') await sleep(50);
  killed.child.kill('SIGKILL');
  await once(killed.child, 'exit');
  const hanging = Number(readFileSync(marker, 'utf8'));
  if (isAlive(hanging)) process.kill(hanging, 'SIGKILL');
  await killed.done.catch(() => {});
  expect(git('log', '--format=%s').trim()).toBe('first');
  const asked = lab.model.requests.length;

  const resumed = await start(lab, bin).done;
  expect(resumed).toMatchObject({ code: 0 });
  expect(git('log', '--format=%s').trim().split('\n')).toEqual([
    'feat: two',
    'one: Wrote one.',
    'first',
  ]);
  expect(git('show', '--format=', '--name-only', 'HEAD~').trim()).toBe('one.txt');
  expect(git('status', '--porcelain').trim()).toBe('M  user.txt');
  // The first step did not run again: all further requests are those of the second one.
  const later = JSON.stringify(lab.model.requests.slice(asked));
  expect(later).not.toContain('write one');
  expect(resumed.stderr).toContain('succeeded\nfeat: two\none: Wrote one.');
  const { steps } = JSON.parse(readFileSync(join(workspace, 'out/report.json'), 'utf8'));
  const names = steps.map(({ commit }: { commit: string }) => commit);
  expect(names).toEqual(git('rev-parse', 'HEAD~', 'HEAD').trim().split('\n'));

  const flag = await start(lab, bin, '--on-finish', 'sh -c "exit 7"').done;
  expect(flag.code).toBe(0);
  expect(flag.stderr).toContain('exited with 7');
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
