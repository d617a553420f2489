import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/api/agent-event.js';
import type { ManifestFile } from '../../../src/api/manifest.js';
import type { GenerateResult, StepOutput } from '../../../src/api/result.js';
import { ProviderError, type ProviderErrorInit } from '../../../src/base/errors/provider-error.js';
import { createOutput } from '../../../src/cli/output/output.js';
import { cleanPainted } from '../../../src/cli/output/paint.js';
import {
  describeEvent,
  describeFailure,
  describeResult,
} from '../../../src/cli/output/progress.js';

const plain = createOutput({ NO_COLOR: '1' }).stderr.paint;
const coloured = createOutput({ FORCE_COLOR: '1' }).stderr.paint;
const WRITE = {
  callId: '1',
  toolName: 'write_file',
  kind: 'edit',
  category: 'file-write',
} as const;

describe('the progress line', () => {
  it.each<[AgentEvent, string | undefined]>([
    [{ type: 'session-init', sessionId: 's', model: 'm' }, 'Session s · m'],
    [{ type: 'session-init', sessionId: 's' }, 'Session s'],
    [{ type: 'tool-invocation', ...WRITE, input: { file_path: 'a.txt' } }, '→ write_file a.txt'],
    [{ type: 'tool-invocation', ...WRITE, input: { command: 'ls\n  -l' } }, '→ write_file ls -l'],
    [{ type: 'tool-invocation', ...WRITE, input: { x: 1 } }, '→ write_file '],
    [{ type: 'tool-completion', ...WRITE, status: 'completed', isError: false }, '✓ write_file'],
    [
      {
        type: 'tool-completion',
        ...WRITE,
        toolName: undefined,
        status: 'failed',
        isError: true,
        error: { type: 'x', message: 'no\nway' },
      },
      '✗ 1 no way',
    ],
    [{ type: 'session-status', status: 'retrying', message: 'busy' }, '! busy'],
    [{ type: 'session-status', status: 'error', message: 'x'.repeat(200) }, `! ${'x'.repeat(200)}`],
    [{ type: 'text-delta', text: 'x', textKind: 'text' }, undefined],
    [{ type: 'turn-complete', subtype: 'success', isError: false }, undefined],
    [{ type: 'unknown', raw: {} }, undefined],
  ])('of %j is one line or undefined', (event, line) => {
    expect(describeEvent(event, plain)).toBe(line);
  });

  it('is shortened on a terminal only', () => {
    const event = { type: 'session-status', status: 'error', message: 'x'.repeat(300) } as const;
    expect(describeEvent(event, plain, 80)).toBe(`! ${'x'.repeat(160)}…`);
    expect(describeEvent(event, plain, 200)).toBe(`! ${'x'.repeat(200)}…`);
  });
});

const file = (more: Partial<ManifestFile>): ManifestFile => ({
  path: 'a.txt',
  absolutePath: '/a.txt',
  kind: 'created',
  tools: ['write_file', 'replace'],
  toolIds: [],
  bytes: 4,
  confirmed: true,
  outsideWorkspace: false,
  ...more,
});
const OUTPUT: StepOutput = {
  generationId: 'generation-1',
  text: 'said',
  files: [
    file({ diff: '--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,1 @@\n+new\n-old\n same\n' }),
    file({ path: 'b.txt', kind: 'unchanged', bytes: 0, confirmed: false }),
  ],
  deniedTools: [{ tool: 'glob', toolId: '1', reason: 'policy', message: 'no', hint: 'Allow it.' }],
  warnings: [{ code: 'CLI_WARNING', message: 'mind this' }],
  usage: {
    total: 12,
    input: 10,
    output: 2,
    cached: 1,
    thoughts: 0,
    tool: 0,
    toolCalls: 3,
    models: { m: { total: 12, input: 10, output: 2, cached: 1, thoughts: 0, tool: 0 } },
  },
  sessionId: 's',
  model: 'm',
  durationMs: 1234,
  transport: 'headless',
  cliVersion: '0.61.0',
  recovered: false,
  repairs: 0,
  artifactsDir: '/kept',
};
const RESULT: GenerateResult = { ...OUTPUT, filesWritten: {}, context: {} };
const LINES = [
  '+ a.txt created, 4 bytes, write_file, replace',
  '    --- /dev/null',
  '    +++ b/a.txt',
  '    @@ -0,0 +1,1 @@',
  '    +new',
  '    -old',
  '     same',
  '= b.txt unchanged, 0 bytes, write_file, replace (not confirmed on the disk)',
  'Denied glob: Allow it.',
  'Warning: mind this',
  'Artifacts: /kept',
];

describe('the summary', () => {
  it('of a success has files, warnings and usage', () => {
    expect(describeResult(RESULT, plain).split('\n')).toEqual([
      ...LINES,
      '12 tokens (10 in, 2 out, 0 thoughts, 1 cached), 3 tool calls, m · 1.2 s · session s',
    ]);
    expect(describeResult({ ...RESULT, repairs: 2 }, plain)).toContain(' · repairs: 2 · ');
    const sensitive = { ...RESULT, files: [file({ sensitive: 'a shell runs this file' })] };
    expect(describeResult(sensitive, plain)).toContain('(sensitive: a shell runs this file)');
    const unknown = { ...RESULT, usage: undefined, sessionId: undefined };
    expect(describeResult(unknown, plain)).toContain('usage unknown · 1.2 s · session unknown');
  });

  it.each<[ProviderErrorInit, string[]]>([
    [
      { code: 'AUTH', message: 'no key', hint: 'Set it.' },
      ['AUTH no key (not retryable)', '→ Set it.'],
    ],
    [
      {
        code: 'EXPECTATION_FAILED',
        message: 'no',
        hint: 'Mend it.',
        missing: [
          { kind: 'files', message: 'No file.' },
          { kind: 'command', message: 'It failed.', detail: 'one\ntwo' },
        ],
      },
      [
        'Missing: No file.',
        'Missing: It failed.',
        '    one',
        '    two',
        'EXPECTATION_FAILED no (not retryable)',
        '→ Mend it.',
      ],
    ],
    [
      {
        code: 'RATE_LIMITED',
        message: 'slow',
        hint: 'Wait.',
        retryAfterMs: 2000,
        exitCode: 173,
        sessionId: 's',
        partial: OUTPUT,
      },
      [...LINES, 'RATE_LIMITED slow (retryable, after 2000 ms, exit 173, session s)', '→ Wait.'],
    ],
  ])('of a failure has code, message and hint', (init, lines) => {
    const error = new ProviderError(init).toJSON();
    expect(describeFailure(error, plain).split('\n')).toEqual(lines);
  });

  it('of a failure has flags, times and stderr in place of keys and fields', () => {
    const lines = (init: ProviderErrorInit) =>
      describeFailure(new ProviderError(init).toJSON(), plain).split('\n');
    const untrusted = lines({ code: 'UNTRUSTED_WORKSPACE', message: 'no' });
    expect(untrusted[1]).toMatch(/^→ Set `--trust-workspace` if/);
    const limited = lines({ code: 'RATE_LIMITED', message: 'no', retryAfterMs: 11_500 });
    expect(limited[1]).toBe('→ Wait 12 s and run fewer steps at once.');
    const refused = lines({ code: 'API_REQUEST', message: 'no', stderrTail: 'one\ntwo\n' });
    expect(refused[1]).toMatch(/Its answer is in the stderr below and the message/);
    expect(refused.slice(2)).toEqual(['    one', '    two']);
  });

  it('of a refused tool names the flag that allows it', () => {
    const hint = 'Set allowedTools: ["run_shell_command(echo hi)"] or approvalMode: "yolo".';
    const denied = {
      tool: 'run_shell_command',
      toolId: '1',
      reason: 'policy',
      message: 'no',
    } as const;
    expect(describeResult({ ...RESULT, deniedTools: [{ ...denied, hint }] }, plain)).toContain(
      'Denied run_shell_command: Set --allowed-tools "run_shell_command(echo hi)" or --approval-mode yolo.\n',
    );
  });

  it('has the same text with colours', () => {
    const shown = cleanPainted(describeResult(RESULT, coloured), (text) => text);
    expect(shown).toContain('\u001b[32m+new\u001b[39m');
    expect(shown).toContain('\u001b[31m-old\u001b[39m');
    const colour = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');
    expect(shown.replace(colour, '')).toBe(describeResult(RESULT, plain));
  });
});
