import { describe, expect, it } from 'vitest';
import { describePlan } from '../../../src/batch/plan/describe-plan.js';
import { expandPlan } from '../../../src/batch/plan/expand-plan.js';
import { makeFolder } from '../../fixtures/cli/support.js';
import { readText } from './plans.js';

describe('the description of a plan', () => {
  it('shows the steps that would run, in the order of their needs', async () => {
    const plan = await readText(
      `
name: release
concurrency: 2
failFast: true
vars: { who: Ann }
steps:
  - id: sum
    prompt: |

      Sum up {{steps.m.text}} \\{{so}} for {{who}}
      and more
    needs: [m]
    working_dir: sub
  - id: m
    for: { n: [1, 2] }
    prompt: Do {{n}}
    isolation: worktree
    retries: 0
    repair: 2
    expects:
      files: [out/*.ts, { glob: "*.md", min: 2, max: 3 }]
      contains: done
      json: { type: object }
      command: ["npm test", { command: tsc, args: [--noEmit] }]
      no_changes_outside: [out/**, "*.md"]
`,
      { 'sub/x': '' },
    );
    const expects =
      'files out/*.ts (1 or more); files *.md (2 to 3); text "done"; JSON; command npm test; command tsc --noEmit; no changes outside out/**, *.md';
    expect(describePlan(plan)).toBe(`release: 3 steps
limits: concurrency 2, failFast true

1. m[1]
   prompt: Do 1
   isolation: worktree
   expects: ${expects}
   attempts: 1 (repairs per attempt: 2)

2. m[2]
   prompt: Do 2
   isolation: worktree
   expects: ${expects}
   attempts: 1 (repairs per attempt: 2)

3. sum
   prompt: Sum up {{steps.m.text}} {{so}} for Ann
   needs: m[1], m[2]
   folder: sub
   isolation: shared
   attempts: 3
`);
  });

  it('shortens long texts and replaces control characters', async () => {
    const values = Array.from({ length: 9 }, (_, index) => index);
    const plan = await expandPlan(
      [
        { id: 'm', for: { v: values }, prompt: 'x' },
        { id: 'odd', for: { v: ['a\n\u001b[2Jb'] }, prompt: `${'y'.repeat(200)}\u0007` },
        { id: 'end', needs: ['m'], prompt: 'x\r\nz' },
      ],
      { baseDir: makeFolder() },
    );
    const text = describePlan(plan);
    expect(text).toContain('needs: m[0], m[1], m[2], m[3], m[4] and 4 more\n');
    expect(text).toContain('10. odd[a??[2Jb]\n');
    expect(text).toContain(`prompt: ${'y'.repeat(100)}…\n`);
    expect(text).toContain('prompt: x\n');
    expect(text).not.toMatch(/[^\P{Cc}\n]/u);
  });
});
