import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { findLabProcesses, GEMINI, type Lab, makeFolder, openLab, read } from './support.js';
import { writing } from './tool-calls.js';

const MAIN = join(import.meta.dirname, '..', 'dist', 'cli.js');
const write = writing('hello.js', 'hi\n');

function start(lab: Lab, args: string[]) {
  const env = { ...process.env, ...lab.model.env, GEMINI_CLI_PATH: GEMINI };
  const child = spawn(process.execPath, [MAIN, ...args], { cwd: lab.workspace, env });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const done = async () => {
    const [[code], [stdout, stderr]] = await Promise.all([once(child, 'exit'), output]);
    return { code, stdout, stderr };
  };
  return { child, done };
}

function run(lab: Lab, args: string[], input = '') {
  const { child, done } = start(lab, args);
  child.stdin.end(input);
  return done();
}

const flags = ['--model', 'gemini-2.5-flash', '--trust-workspace'];

describe('gemini-cli-provider run', () => {
  it('prints the text to stdout, everything else to stderr; record and mock replay the step', async () => {
    const lab = await openLab([{ text: 'I write …', ...write }, { text: 'done.' }]);
    const { code, stdout, stderr } = await run(lab, ['run', 'Greet the world', ...flags]);
    expect(code).toBe(0);
    expect(stdout).toBe('I write …done.\n');
    expect(stderr).toMatch(
      /→ write_file hello\.js[\s\S]*✓ write_file[\s\S]*\+ hello\.js created[\s\S]*\+hi[\s\S]*220 tokens/,
    );
    expect(stderr).not.toContain('\u001b');

    // The session as a script has the same result, in another folder and without the model.
    const recorded = await run(lab, ['record', '--out', 'script.json']);
    expect(recorded).toMatchObject({ code: 0, stderr: 'script.json: 1 prompt, 2 answers\n' });
    const script = join(lab.workspace, 'script.json');
    const elsewhere = makeFolder();
    const step = [MAIN, 'run', 'Greet the world', '--json', '--cwd', elsewhere, ...flags];
    const replayed = await run(lab, ['mock', script, '--', process.execPath, ...step]);
    expect(replayed).toMatchObject({ code: 0, stderr: 'mock: 2 requests to the model\n' });
    expect(JSON.parse(replayed.stdout)).toMatchObject({
      text: 'I write …done.',
      usage: { total: 220 },
      files: [{ path: 'hello.js', kind: 'created' }],
    });
    expect(read(elsewhere, 'hello.js')).toBe(read(lab.workspace, 'hello.js'));
    expect(lab.model.requests).toHaveLength(2);
  });

  it('prints one object with --json, for a prompt on stdin', async () => {
    const lab = await openLab([write, { text: 'Done.' }]);
    const { code, stdout, stderr } = await run(lab, ['run', '--json', ...flags], 'from stdin');
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      text: 'Done.',
      filesWritten: { 'hello.js': null },
    });
    expect(lab.model.requests[0]?.prompt).toBe('from stdin');
  });

  it('prints every event with --events, and exits with the code of the error', async () => {
    const lab = await openLab([{ error: { status: 401, message: 'Who are you?' } }]);
    const { code, stdout } = await run(lab, ['run', 'go', '--events', ...flags]);
    expect(code).toBe(3);
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.map(({ type }) => type)).toEqual([
      'session-init',
      'user-input',
      'session-messages',
      'turn-complete',
    ]);
    expect(events.at(-1)).toMatchObject({
      isError: true,
      error: { code: 'AUTH', httpStatus: 401 },
    });
  });

  it('ends all processes on Ctrl-C and exits with 130', async () => {
    const lab = await openLab([{ text: 'wait', endless: 'stall' }]);
    const { child, done } = start(lab, ['run', 'go', '--json', ...flags]);
    child.stdin.end();
    while (lab.model.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    child.kill('SIGINT');
    const { code, stdout } = await done();
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    expect(findLabProcesses(lab)).toEqual([]);
  });
});

describe('gemini-cli-provider explain', () => {
  it('gives the same verdict on the artifacts of the real CLI as the step itself', async () => {
    const lab = await openLab([
      { error: { status: 429, message: 'Slow down.', retryDelay: '400s' } },
    ]);
    const error = await lab.fail('go', { keepArtifacts: join(lab.workspace, 'kept') });
    // The delay is longer than the CLI waits, so the step fails.
    expect(error).toMatchObject({ code: 'RATE_LIMITED', retryable: true, retryAfterMs: 400_000 });
    const kept = error.partial?.artifactsDir ?? '';
    const args = ['--stdout', join(kept, 'stdout.ndjson'), '--stderr', join(kept, 'stderr.txt')];
    const { exitCode } = JSON.parse(read(kept, 'call.json'));
    const { code, stdout } = await run(lab, [
      'explain',
      ...args,
      '--exit-code',
      String(exitCode),
      '--json',
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      code: 'RATE_LIMITED',
      retryAfterMs: 400_000,
      message: error.message,
    });
  });
});

describe('gemini-cli-provider doctor', () => {
  it('finds the problem that would make the CLI refuse to start', async () => {
    const lab = await openLab([{ text: 'ok' }]);
    const bad = await run(lab, ['doctor', '--json']);
    expect(bad.code).toBe(1);
    const problems = JSON.parse(bad.stdout).findings.filter(
      (finding: { status: string }) => finding.status === 'problem',
    );
    expect(problems).toMatchObject([
      { check: 'workspace trust', fix: expect.stringContaining('trustWorkspace') },
    ]);
    const good = await run(lab, ['doctor', '--trust-workspace']);
    expect(good.code).toBe(0);
    expect(good.stdout).toContain('0.61.0');
    expect(lab.model.requests).toEqual([]);
  });

  const folderTrust = (enabled: boolean) => ({ security: { folderTrust: { enabled } } });
  const auth = (selectedType?: string) => ({ security: { auth: { selectedType } } });
  const trustBy = { user: folderTrust(false), project: {} };

  it.each([
    ['a user who trusts every folder', trustBy, [], undefined, undefined],
    [
      'a project that trusts itself',
      { user: {}, project: folderTrust(false) },
      [],
      'workspace trust',
      'UNTRUSTED_WORKSPACE',
    ],
    [
      'a project that switches folder trust on',
      { ...trustBy, project: folderTrust(true) },
      [],
      'workspace trust',
      'UNTRUSTED_WORKSPACE',
    ],
    [
      'a project without trust that chooses the login',
      { user: auth(), project: auth('gemini-api-key') },
      [],
      'authentication',
      'AUTH',
    ],
    [
      'a project with trust that chooses the login',
      { user: auth(), project: auth('gemini-api-key') },
      ['--trust-workspace'],
      undefined,
      undefined,
    ],
  ])('and `run` agree about %s', async (_what, settings, more, problem, error) => {
    const files = { '.gemini/settings.json': JSON.stringify(settings.project) };
    const lab = await openLab([{ text: 'ok' }], { settings: settings.user, files });
    const examined = await run(lab, ['doctor', '--json', ...more]);
    const { findings }: { findings: { check: string; status: string }[] } = JSON.parse(
      examined.stdout,
    );
    const [first] = findings.filter(({ status }) => status === 'problem');
    expect(first?.check).toBe(problem);
    expect(examined.code).toBe(problem === undefined ? 0 : 1);
    const { stdout } = await run(lab, ['run', 'go', '--json', '-m', 'gemini-2.5-flash', ...more]);
    expect(JSON.parse(stdout).error?.code).toBe(error);
  });
});
