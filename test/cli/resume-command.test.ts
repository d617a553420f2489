import { expect, it } from 'vitest';
import { describeResumeCommand } from '../../src/cli/resume-command.js';

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
