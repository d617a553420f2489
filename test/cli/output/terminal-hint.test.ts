import { describe, expect, it } from 'vitest';
import { findDeniedTools } from '../../../src/agents/events/denied-tools.js';
import type { ToolCall } from '../../../src/agents/events/turn-fold.js';
import { failStopped } from '../../../src/agents/verdict/create-failure.js';
import { ERROR_CODES } from '../../../src/base/errors/codes.js';
import { CONFIG_FLAGS } from '../../../src/cli/config/config-flags.js';
import { PLAIN } from '../../../src/cli/output/output.js';
import {
  describeHint,
  type HintCommand,
  remarkOnFlags,
  rewriteHint,
} from '../../../src/cli/output/terminal-hint.js';
import { collectSourceHints } from '../../fixtures/cli/source-hints.js';

const hintOf = (code: keyof typeof ERROR_CODES) => ERROR_CODES[code].hint;
const KEYS = [...new Set(CONFIG_FLAGS.map((flag) => flag.attributeName())), 'isolation', 'retries'];
const FIELDS = ['stderrTail', 'missing', 'problems', 'partial', 'message', 'exitCode', 'cause'];
const CODE_NAMES = new RegExp(`\`(?:${[...KEYS, ...FIELDS, 'retryAfterMs'].join('|')})[\`:]`);
/** Keys that are no English words are recognised without backticks, too. */
const BARE_KEYS = new RegExp(
  `(?<!-)\\b(?:${KEYS.filter((key) => /[A-Z]/.test(key)).join('|')})\\b(?! \\(--)`,
);

it('a config file that cannot be used is named with its flag', () => {
  expect(rewriteHint('Correct config.', 'run')).toBe('Correct config (--config).');
  expect(rewriteHint('Correct config.', 'batch')).toBe('Correct config (--config).');
});

describe('all hints of the source', () => {
  const hints = [
    ...collectSourceHints(),
    ...(['start', 'idle', 'total'] as const).map((phase) => {
      return failStopped({ kind: 'timeout', phase, limitMs: 1 }).hint ?? '';
    }),
  ];

  it('are found', () => {
    expect(hints.length).toBeGreaterThan(150);
    // UNKNOWN, INVALID_CONFIG and all others.
    expect(hints).toEqual(
      expect.arrayContaining(Object.values(ERROR_CODES).map(({ hint }) => hint)),
    );
    expect(hints.filter((hint) => CODE_NAMES.test(hint)).length).toBeGreaterThan(30);
    expect(hints.filter((hint) => BARE_KEYS.test(hint)).length).toBeGreaterThan(5);
  });

  it.each<HintCommand>(['run', 'batch'])(
    'name no key with a flag and no field in %s',
    (command) => {
      const rewritten = hints.map((hint) => rewriteHint(hint, command));
      expect(rewritten.filter((hint) => CODE_NAMES.test(hint))).toEqual([]);
      expect(rewritten.filter((hint) => BARE_KEYS.test(hint))).toEqual([]);
    },
  );
});

describe('a setting', () => {
  it.each([
    [
      'Set `trustWorkspace: true`, or `compileCache: false`.',
      'Set `--trust-workspace`, or `--no-compile-cache`.',
    ],
    ['Use another `model` or `cliPath`.', 'Use another `--model` or `--cli-path`.'],
    ['Set `workingDir`, or `isolation: copy`.', 'Set `--cwd`, or `--isolation copy`.'],
    ['Set approvalMode: "yolo".', 'Set --approval-mode yolo.'],
    ["Use processIsolation: 'auto'.", 'Use --process-isolation auto.'],
    ['Leave approvalMode "plan" out.', 'Leave --approval-mode plan out.'],
    ['Turn it off: `sandbox: false`.', 'Turn it off: `--sandbox false`.'],
    [hintOf('SANDBOX'), expect.stringMatching(/or turn the sandbox off with `--sandbox false`\.$/)],
    ['Set `state` (`--state DIR`) to a folder.', 'Set `--state DIR` to a folder.'],
    ['Correct model, pool, timeout.', 'Correct model (--model), pool, timeout (--timeout).'],
    ['Name a file in context.promptFile.', 'Name a file in --prompt-file.'],
  ])('%j becomes a flag', (hint, text) => {
    expect(rewriteHint(hint, 'run')).toEqual(text);
  });

  it.each([
    'Raise `model.maxSessionTurns`, or lower `pool.maxSessions`.',
    'Set `command` and `authMethod`.',
    'The model gave no answer in the sandbox: see src/systemPrompt/a.ts and systemPrompt.md.',
    'Run `git config model: x`.',
  ])('%j has no flag and stays', (hint) => {
    expect(rewriteHint(hint, 'run')).toBe(hint);
  });

  it('loses what a terminal would obey', () => {
    expect(rewriteHint('Set\n`model`\u001b[2J.', 'run')).toBe('Set `--model`.');
  });
});

describe('the hint for a refused tool', () => {
  const hintFor = (input: ToolCall['input'], more: Partial<ToolCall> = {}, settings = {}) => {
    const error = { type: 'policy_violation', message: 'no' };
    const call: ToolCall = {
      id: '1',
      name: 'run_shell_command',
      kind: 'execute',
      input,
      outcome: 'failed',
      error,
      ...more,
    };
    const [denied] = findDeniedTools([call], settings);
    return rewriteHint(denied?.hint ?? '', 'run');
  };

  it('has a flag for each rule', () => {
    expect(hintFor({ command: 'echo hi' })).toMatch(
      /^Set --allowed-tools "run_shell_command\(echo( hi)?\)" or --approval-mode yolo\.$/,
    );
    expect(hintFor({ command: 'npm test && git status > a.txt' })).toMatch(
      /^Set --allowed-tools "run_shell_command\(npm.*?\)" --allowed-tools "run_shell_command\(git.*?\)" and --allow-redirection or/,
    );
  });

  it('quotes what a shell would change', () => {
    const hint = 'Set allowedTools: ["run_shell_command(echo $HOME)"] or approvalMode: "yolo".';
    expect(rewriteHint(hint, 'run')).toBe(
      "Set --allowed-tools 'run_shell_command(echo $HOME)' or --approval-mode yolo.",
    );
  });

  it('takes a path out of the protected ones', () => {
    const edit = { name: 'write_file', kind: 'edit' } as const;
    const settings = { isProtected: () => true };
    expect(hintFor({ file_path: '.env' }, edit, settings)).toBe(
      ".env is protected: take the path out of --protected-paths, or add --protected-paths '!.env'.",
    );
  });

  it('does not speak of functions', () => {
    const hint = 'Set allowedTools: ["edit"] or approvalMode: "yolo", or decide in onPermission.';
    expect(rewriteHint(hint, 'run')).toBe('Set --allowed-tools "edit" or --approval-mode yolo.');
  });
});

describe('a field', () => {
  it('`retryAfterMs` is a time, if it is known', () => {
    const rest = 'and run fewer steps at once.';
    expect(rewriteHint(hintOf('RATE_LIMITED'), 'run', { retryAfterMs: 11_500 })).toBe(
      `Wait 12 s ${rest}`,
    );
    expect(rewriteHint(hintOf('RATE_LIMITED'), 'run')).toBe(`Wait ${rest}`);
  });

  it('`resume` is the flag of run with the session', () => {
    const { hint = '' } = failStopped({ kind: 'timeout', phase: 'idle', limitMs: 1 });
    const raise = 'Raise `--idle-timeout` (seconds), or continue with';
    const sessionId = 'abc-1';
    expect(rewriteHint(hint, 'run', { sessionId })).toBe(`${raise} \`--resume abc-1\`.`);
    expect(rewriteHint(hint, 'run')).toBe(`${raise} \`--resume SESSION\`.`);
    expect(rewriteHint(hint, 'batch', { sessionId })).toBe(
      `${raise} \`gemini-cli-provider run --resume abc-1\`.`,
    );
    expect(rewriteHint(hint, 'run', { sessionId: 'a; b' })).toBe(`${raise} \`--resume 'a; b'\`.`);
  });

  it('`stderrTail` is printed below, its last ten lines', () => {
    const hint = hintOf('UNKNOWN');
    const lines = Array.from({ length: 12 }, (_, index) => `line ${index}\u001b[2J`);
    const [first, ...more] = describeHint(
      { hint, stderrTail: `${lines.join('\r\n')}\n` },
      'run',
      PLAIN,
    );
    expect(first).toBe('See the stderr below, the exit code and the output of the step.');
    expect(more).toHaveLength(10);
    expect([more[0], more[9]]).toEqual(['    line 2', '    line 11']);
    const silent = ['See stderr, the exit code and the output of the step.'];
    expect(describeHint({ hint, stderrTail: ' \n' }, 'run', PLAIN)).toEqual(silent);
    expect(describeHint({ hint: 'Wait.', stderrTail: 'x' }, 'run', PLAIN)).toEqual(['Wait.']);
  });

  it('stderr is not named beside the message if it is empty', () => {
    const hint = hintOf('API_REQUEST');
    const shown = (stderrTail: string) => rewriteHint(hint, 'batch', { stderrTail });
    expect(shown('x')).toContain('Its answer is in the stderr below and the message:');
    expect(shown('')).toContain('Its answer is in the message:');
  });

  it('`missing` is printed below in a batch, above in run', () => {
    const hint = hintOf('EXPECTATION_FAILED');
    const one = { kind: 'files', message: 'No\nfile.' } as const;
    expect(describeHint({ hint, missing: [one], sessionId: 's' }, 'batch', PLAIN)).toEqual([
      'See the unmet expectations below. Raise `--repair` to let the agent correct them, or continue with `gemini-cli-provider run --resume s`.',
      '    Missing: No file.',
    ]);
    expect(describeHint({ hint, missing: [one], sessionId: 's' }, 'run', PLAIN)).toEqual([
      'See the unmet expectations above. Raise `--repair` to let the agent correct them, or continue with `--resume s`.',
    ]);
    const many = describeHint({ hint, missing: Array(7).fill(one) }, 'batch', PLAIN);
    expect(many.slice(5)).toEqual(['    Missing: No file.', '    and 2 more']);
  });
});

it('a remark says that the plan wins over flags, if a hint names a flag of a step', () => {
  const remark = ['  Flags apply to steps for which the plan does not set the same key.'];
  expect(remarkOnFlags(['Wait.', 'Raise `timeout`.'])).toEqual(remark);
  expect(remarkOnFlags(['Continue with `resume`.', 'Give --state.'])).toEqual([]);
});

it('a hint about a wrong selection names the flag, and where to find the ids', () => {
  const ids = ' `--dry-run --verbose` lists the ids of all steps.';
  expect(rewriteHint('Correct only, skip.', 'batch')).toBe(`Correct --only, --skip.${ids}`);
  expect(rewriteHint('Correct retryFailed.', 'batch')).toBe('Correct --retry-failed.');
});
