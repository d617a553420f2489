import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addExplainCommand } from '../../../src/cli/explain/explain.js';
import { runCommandHere } from '../../fixtures/cli/in-process.js';
import { makeFolder, makePipe, runMain } from '../../fixtures/cli/support.js';
import { beTerminal } from '../../fixtures/cli/terminal.js';
import { loadRecording, recordingNames } from '../../fixtures/recordings.js';

const KEYS = [
  'ok',
  'code',
  'message',
  'retryable',
  'retryAfterMs',
  'httpStatus',
  'files',
  'deniedTools',
  'text',
  'usage',
  'warnings',
  'hint',
  'sessionId',
  'model',
];

function flagsFor(name: string): string[] {
  const file = (part: string) => join(import.meta.dirname, '../../fixtures/streams', name, part);
  const zipped = file('stdout.ndjson.gz');
  const { exitCode, signal } = loadRecording(name);
  const end = signal === undefined ? ['--exit-code', String(exitCode)] : ['--signal', signal];
  const stdout = existsSync(zipped) ? zipped : file('stdout.ndjson');
  return ['explain', '--json', '--stdout', stdout, '--stderr', file('stderr.txt'), ...end];
}

function expectTruth(name: string, stdout: string): void {
  const verdict = JSON.parse(stdout);
  expect(Object.keys(verdict)).toEqual(KEYS);
  const { truth } = loadRecording(name);
  expect(verdict).toMatchObject({
    ok: truth.ok,
    code: truth.code,
    retryable: truth.retryable,
    retryAfterMs: truth.retryAfterMs ?? null,
    files: truth.files,
    deniedTools: truth.deniedTools,
    ...(truth.text === undefined ? {} : { text: truth.text }),
  });
}

const explain = (...args: string[]) => runCommandHere(addExplainCommand, ['explain', ...args]);

describe('the command explain', () => {
  it.each(['large_tool_content_1mb', 'interrupted_sigkill', 'usage_bad_flag'])(
    'judges %s correctly and exits with 0',
    async (name) => {
      const { code, stdout, stderr } = await runMain(flagsFor(name));
      expect([code, stderr]).toEqual([0, '']);
      expectTruth(name, stdout);
    },
  );

  it('judges all recordings correctly, always with the same keys', async () => {
    for (const name of recordingNames) {
      expectTruth(name, (await runCommandHere(addExplainCommand, flagsFor(name))).stdout);
    }
  });

  it('prints text without --json', async () => {
    const folder = makeFolder({
      out: [
        '{"type":"init","session_id":"s","model":"m"}',
        '{"type":"tool_use","tool_name":"write_file","tool_id":"1","parameters":{"file_path":"/app/src/a.ts"}}',
        '{"type":"tool_result","tool_id":"1","status":"success"}',
        '{"type":"tool_use","tool_name":"run_shell_command","tool_id":"2","parameters":{"command":"ls"}}',
        '{"type":"tool_result","tool_id":"2","status":"error","error":{"type":"tool_not_registered","message":"no"}}',
        '{"type":"message","role":"assistant","content":"AIzaSy0123456789012345678901234567890 is it"}',
        'noise',
        '{"type":"result","status":"success","stats":{"total_tokens":12,"models":{"m":{}}}}',
      ].join('\n'),
    });
    const flags = ['--stdout', join(folder, 'out'), '--exit-code', '0', '--cwd', '/app'];
    const lines = (await explain(...flags)).stdout.split('\n');
    expect(lines.slice(0, 3)).toEqual(['Success', 'Files: src/a.ts', 'Denied: run_shell_command']);
    expect(lines[3]).toMatch(/^Warning: .*noise/);
    expect(lines.slice(4)).toEqual(['Tokens: 12', '', '[redacted] is it', '']);
    const failed = (await explain('--exit-code', '41')).stdout.split('\n');
    expect(failed[0]).toMatch(/^AUTH .* \(not retryable\)$/);
    expect(failed[1]).toMatch(/^Hint: .*GEMINI_API_KEY/);
  });
});

describe('a recording that is not a plain file', () => {
  const result =
    '{"type":"result","status":"success","stats":{"total_tokens":12,"models":{"m":{}}}}\n';

  it('can be read from stdin', async () => {
    const args = ['explain', '--stdout', '/dev/stdin', '--exit-code', '0'];
    const { code, stdout } = await runMain(args, { input: result });
    expect([code, stdout]).toEqual([0, 'Success\nTokens: 12\n']);
  });

  it('can be in UTF-16, as PowerShell writes it', async () => {
    const utf16 = Buffer.from(`\u{FEFF}${result.replace('\n', '\r\n')}`, 'utf16le');
    const stdout = join(makeFolder({ out: utf16 }), 'out');
    const judged = await explain('--stdout', stdout, '--exit-code', '0');
    expect(judged.stdout).toBe('Success\nTokens: 12\n');
  });

  it('does not block the exit if it is a pipe without a writer and the other file cannot be read', async () => {
    const pipe = makePipe();
    const { code, stderr } = await runMain(['explain', '--stdout', pipe, '--stderr', '/no/such']);
    expect(code).toBe(2);
    expect(stderr).toContain('/no/such: ENOENT');
  });
});

describe('a verdict as text', () => {
  it.each([true, false])('has colours where stdout is a terminal: %s', async (isTTY) => {
    beTerminal({ stdout: isTTY, stderr: !isTTY });
    const { stdout } = await explain('--exit-code', '41');
    expect(stdout.includes('\u001b[31mAUTH')).toBe(isTTY);
    expect(stdout.includes('\u001b')).toBe(isTTY);
  });
});

describe('wrong use of explain', () => {
  it.each([
    [[], 'give a recording, or at least one of --stderr, --exit-code and --signal'],
    [['--stdout', '/no/such/file'], '/no/such/file: ENOENT'],
    [['--exit-code', 'one'], 'Give a whole number'],
    [['--exit-code', '-1'], 'Give a whole number'],
    [['--exit-code', '1.5'], 'Give a whole number'],
    [['--exit-code', '999999999999'], 'Give a whole number'],
    [['--exit-code', '1e2'], 'Give a whole number'],
    [['--exit-code', '0x10'], 'Give a whole number'],
    [['--exit-code', ''], 'Give a whole number'],
    [['--exit-code', '256'], 'Give a whole number from 0 to 255'],
    [['--signal', 'nonsense'], 'Give the name of a signal'],
    [['--signal', ''], 'Give the name of a signal'],
    [['--signal', 'toString'], 'Give the name of a signal'],
    [['--signal', 'SIGKILL', '--exit-code', '137'], 'cannot be used with'],
    [['--stdout', '/dev/stdin', '--stderr', '-'], 'cannot both be stdin'],
    [['out.ndjson', '--stdout', 'b.ndjson'], 'either as argument or with --stdout'],
    [['--stderr', '/'], '/: EISDIR'],
    [['--fast'], 'unknown option'],
  ])('%j is refused', async (args, complaint) => {
    const { stdout, stderr } = await explain(...args);
    expect(stdout).toBe('');
    expect(stderr).toContain(complaint);
  });

  it('is prevented by a help text with examples', async () => {
    const { stdout } = await explain('--help');
    expect(stdout).toContain('Examples:');
    expect(stdout).toContain('gemini-cli-provider explain --stdout out.ndjson');
  });
});
