import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ServerState } from '../../../src/engines/mcp/server-state.js';
import type { Answer } from '../../batch/run/scripted-provider.js';
import { openWire, type WireLab } from './mcp-wire.js';

const ANSWERS: Readonly<Record<string, Answer>> = {
  change: { write: { 'a.txt': 'changed\n', 'new.txt': 'new\n' } },
  look: {},
  break: { write: { 'a.txt': 'broken\n' }, error: 'API_UNAVAILABLE' },
};

async function openRepository(options: object = {}): Promise<WireLab> {
  const lab = await openWire(({ prompt }) => ANSWERS[prompt] ?? {}, options);
  writeFileSync(join(lab.root, 'a.txt'), 'one\n');
  const git = (...args: string[]) => execFileSync('git', ['-C', lab.root, ...args]);
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'first');
  return lab;
}

const contentOf = ({ root }: WireLab, name = 'a.txt') => readFileSync(join(root, name), 'utf8');
const patchOf = (result: Record<string, unknown>): { state: string; file: string; bytes: number } =>
  Object(result['patch']);

describe('gemini_edit', () => {
  it('leaves changes in a patch until they are applied', async () => {
    const lab = await openRepository();
    const result = await lab.call('gemini_edit', { prompt: 'change' });
    const { state, file, bytes } = patchOf(result);
    expect([state, bytes]).toEqual(['ready', readFileSync(file).length]);
    expect(contentOf(lab)).toBe('one\n');
    const { jobId } = result;
    const uri = `gemini://job/${jobId}/patch`;
    const { result: read } = await lab.request('resources/read', { uri }).answer;
    expect(read?.contents?.[0]?.text).toContain('+changed');
    expect(await lab.call('gemini_apply', { jobId })).toMatchObject({
      patch: { state: 'applied' },
    });
    expect([contentOf(lab), contentOf(lab, 'new.txt')]).toEqual(['changed\n', 'new\n']);
    expect(existsSync(file)).toBe(false);
    expect(await lab.call('gemini_apply', { jobId })).toMatchObject({
      error: { message: expect.stringContaining('applied already') },
    });
  });

  it('merges with what the folder got meanwhile, and applies nothing in a conflict', async () => {
    const lab = await openRepository();
    const { jobId } = await lab.call('gemini_edit', { prompt: 'change' });
    writeFileSync(join(lab.root, 'a.txt'), 'mine\n');
    expect(await lab.call('gemini_apply', { jobId })).toMatchObject({
      isError: true,
      error: { code: 'EXPECTATION_FAILED', message: expect.stringContaining('a.txt') },
    });
    expect(contentOf(lab)).toBe('mine\n');
    expect(existsSync(join(lab.root, 'new.txt'))).toBe(false);
    writeFileSync(join(lab.root, 'a.txt'), 'one\n');
    writeFileSync(join(lab.root, 'mine.txt'), 'mine\n');
    expect(await lab.call('gemini_apply', { jobId })).toMatchObject({
      patch: { state: 'applied' },
    });
    expect([contentOf(lab), contentOf(lab, 'mine.txt')]).toEqual(['changed\n', 'mine\n']);
  });

  it('drops changes that are refused, and has no patch without changes', async () => {
    const lab = await openRepository();
    const result = await lab.call('gemini_edit', { prompt: 'change' });
    const { jobId } = result;
    expect(await lab.call('gemini_cancel', { jobId })).toMatchObject({
      state: 'succeeded',
      patch: { state: 'discarded', bytes: 0 },
    });
    expect(existsSync(patchOf(result).file)).toBe(false);
    expect(await lab.call('gemini_apply', { jobId })).toMatchObject({ isError: true });
    const none = await lab.call('gemini_edit', { prompt: 'look' });
    expect(none['patch']).toBeUndefined();
    expect(await lab.call('gemini_apply', { jobId: none['jobId'] })).toMatchObject({
      error: { message: expect.stringContaining('no changes') },
    });
  });

  it('keeps what a failed step has written, for git apply', async () => {
    const lab = await openRepository();
    const result = await lab.call('gemini_edit', { prompt: 'break' });
    expect(result).toMatchObject({ state: 'failed', patch: { state: 'kept' } });
    execFileSync('git', ['-C', lab.root, 'apply', '--3way', patchOf(result).file]);
    expect(contentOf(lab)).toBe('broken\n');
    const { jobId } = result;
    expect(await lab.call('gemini_apply', { jobId })).toMatchObject({
      error: { message: expect.stringContaining('has failed') },
    });
  });

  it('says that saved changes are damaged', async () => {
    const lab = await openRepository();
    const { jobId } = await lab.call('gemini_edit', { prompt: 'change' });
    const [own = ''] = readdirSync(lab.state).filter((name) => name.startsWith('server-'));
    rmSync(join(lab.state, own, 'saved'), { recursive: true });
    expect(await lab.call('gemini_apply', { jobId })).toMatchObject({
      error: { message: expect.stringContaining('damaged') },
    });
  });

  it('works in a copy of a folder without git, and in the folder itself', async () => {
    const lab = await openWire(({ prompt }) => ANSWERS[prompt] ?? {});
    writeFileSync(join(lab.root, 'a.txt'), 'one\n');
    expect(await lab.call('gemini_edit', { prompt: 'change' })).toMatchObject({ state: 'failed' });
    const { jobId } = await lab.call('gemini_edit', { prompt: 'change', isolation: 'copy' });
    expect(contentOf(lab)).toBe('one\n');
    await lab.call('gemini_apply', { jobId });
    expect(contentOf(lab)).toBe('changed\n');
    writeFileSync(join(lab.root, 'a.txt'), 'one\n');
    await lab.call('gemini_edit', { prompt: 'change', isolation: 'shared' });
    expect(contentOf(lab)).toBe('changed\n');
  });

  it('refuses a state folder inside of the working directory', async () => {
    const lab = await openRepository();
    mkdirSync(join(lab.root, 'state'));
    const state = await ServerState.open(join(lab.root, 'state'));
    expect(() => state.enter(lab.root)).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG' }),
    );
    await state.close();
  });

  it('keeps patch files after the end of the server, and removes what dead servers left', async () => {
    const lab = await openRepository();
    const result = await lab.call('gemini_edit', { prompt: 'change' });
    const program = `
      import { ServerState } from ${JSON.stringify(join(import.meta.dirname, '../../../.build/engines/mcp/server-state.js'))};
      await ServerState.open(${JSON.stringify(lab.state)});
      process.kill(process.pid, 'SIGKILL');
    `;
    expect(() => execFileSync('node', ['--input-type=module', '-e', program])).toThrow();
    const servers = () => readdirSync(lab.state).filter((name) => name.startsWith('server-'));
    expect(servers()).toHaveLength(2);
    const next = await ServerState.open(lab.state);
    expect(servers()).toHaveLength(2);
    await next.close();
    expect(servers()).toHaveLength(1);
    expect(existsSync(patchOf(result).file)).toBe(true);
  });
});

describe('gemini_status', () => {
  it('has findings, limits, jobs and sessions', async () => {
    const env = { GEMINI_CLI_HOME: '/nowhere' };
    const config = { env, allowedTools: ['run_shell_command(ls)'] };
    const lab = await openRepository({ config });
    await lab.call('gemini_edit', { prompt: 'change' });
    expect(await lab.call('gemini_status', {})).toMatchObject({
      ok: expect.any(Boolean),
      findings: expect.arrayContaining([expect.objectContaining({ check: 'configuration' })]),
      server: { roots: [lab.root], maxJobs: 4, shell: 'some', mayEdit: true },
      jobs: [{ tool: 'gemini_edit', state: 'succeeded', patch: 'ready' }],
      sessions: [],
    });
  });
});
