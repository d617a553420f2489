import { expect, it } from 'vitest';
import { describeResumeCommand, findResumeCommand } from '../../../src/cli/batch/resume-command.js';

it.each([
  [['batch', 'plan.yaml', '--fresh', '--out', 'build/b'], 'batch plan.yaml --out build/b'],
  [['batch', "it's a plan.yaml", '-n', '8'], `batch 'it'\\''s a plan.yaml' -n 8`],
  [['batch', 'p', '--env', 'A=secret\nx', '--env=B=secret', '--env', 'C'], null],
])(
  'describeResumeCommand repeats %j without --fresh and without values of variables',
  (argv, text) => {
    const hidden = "batch p --env 'A=…' '--env=B=…' --env C";
    expect(describeResumeCommand(argv)).toBe(`gemini-cli-provider ${text ?? hidden}`);
  },
);

it('findResumeCommand names the plan of the last run and the folders, unless the batch runs or has no file', () => {
  const environment = { packageVersion: '1', nodeVersion: '20', host: 'h', platform: 'p' };
  const times = { startedAt: '', endedAt: '' };
  const runs = [{ ...times, environment: { ...environment, planFile: '/a b/plan.yaml' } }];
  const rest = '(and the other flags of the last run)';
  expect(findResumeCommand({ outcome: 'stopped', runs }, 'out')).toBe(
    `gemini-cli-provider batch '/a b/plan.yaml' --out out ${rest}`,
  );
  expect(findResumeCommand({ outcome: 'failed', runs }, 'out', 's')).toContain('--state s (');
  expect(findResumeCommand({ outcome: 'running', runs }, 'out')).toBeUndefined();
  expect(findResumeCommand({ outcome: 'failed', runs: [times] }, 'out')).toBeUndefined();
  expect(findResumeCommand({ outcome: 'failed', runs: [] }, 'out')).toBeUndefined();
});
