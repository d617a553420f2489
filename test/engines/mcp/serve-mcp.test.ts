import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { createScriptedProvider } from '../../batch/run/scripted-provider.js';
import { openWire, type WireLab } from './mcp-wire.js';

const never = () => new Promise<never>(() => {});
const answerHangs = ({ prompt }: { prompt: string }) =>
  prompt === 'hang' ? never() : { text: prompt };
const tools = async (lab: WireLab) => {
  const { result } = await lab.request('tools/list', {}).answer;
  return result?.tools?.map(({ name }) => name);
};

describe('serveMcp', () => {
  it('offers all tools, and those that read if the mode is plan', async () => {
    const all = await openWire(() => ({}));
    expect(await tools(all)).toEqual([
      'gemini_ask',
      'gemini_edit',
      'gemini_batch',
      'gemini_wait',
      'gemini_cancel',
      'gemini_status',
      'gemini_apply',
    ]);
    const reading = await openWire(() => ({}), { config: { approval_mode: 'plan' } });
    expect(await tools(reading)).toEqual([
      'gemini_ask',
      'gemini_wait',
      'gemini_cancel',
      'gemini_status',
    ]);
  });

  it('asks in plan mode, whatever the server allows (claim: mcp-ask-reads)', async () => {
    const config = { approvalMode: 'yolo', allowedTools: ['write_file'] };
    const lab = await openWire(({ prompt }) => ({ text: `You said: ${prompt}` }), { config });
    const result = await lab.call('gemini_ask', { prompt: 'hi', resume: 'abc', model: 'm' });
    expect(result).toMatchObject({
      state: 'succeeded',
      text: 'You said: hi',
      sessionId: 'session',
    });
    expect(lab.provider.calls[0]?.options).toMatchObject({
      approvalMode: 'plan',
      allowedTools: [],
      resume: 'abc',
      model: 'm',
      workingDir: lab.root,
    });
  });

  it('returns JSON of the answer, and asks once more for JSON of the right form', async () => {
    const lab = await openWire(() => ({ text: '{"a":1}', data: { a: 1 } }));
    const json = { type: 'object' };
    const result = await lab.call('gemini_ask', { prompt: 'hi', json });
    expect(result['data']).toEqual({ a: 1 });
    expect(lab.provider.calls[0]?.options).toMatchObject({ expects: { json }, repair: 1 });
  });

  it('answers before the deadline with a job that goes on', async () => {
    let finish = (): void => {};
    const lab = await openWire(async () => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return { text: 'late' };
    });
    const first = await lab.call('gemini_ask', { prompt: 'hi', waitSeconds: 0 });
    expect(first).toMatchObject({ state: 'running', activity: expect.any(String) });
    const { jobId } = first;
    expect(await lab.call('gemini_wait', { jobId, waitSeconds: 0 })).toMatchObject({
      state: 'running',
    });
    expect(await lab.call('gemini_apply', { jobId })).toMatchObject({
      isError: true,
      error: { code: 'INVALID_INPUT' },
    });
    const { id, answer } = lab.request('tools/call', { name: 'gemini_wait', arguments: { jobId } });
    lab.notify('notifications/cancelled', { requestId: id });
    expect(await Promise.race([answer, Promise.resolve('none')])).toBe('none');
    finish();
    expect(await lab.call('gemini_wait', { jobId })).toMatchObject({
      state: 'succeeded',
      text: 'late',
    });
  });

  it('ends the job of a call that the client cancels', async () => {
    const lab = await openWire(answerHangs);
    const call = { name: 'gemini_ask', arguments: { prompt: 'hang' } };
    const { id } = lab.request('tools/call', call);
    await vi.waitFor(() => expect(lab.provider.calls).toHaveLength(1));
    lab.notify('notifications/cancelled', { requestId: id });
    await vi.waitFor(() => expect(lab.provider.calls[0]?.signal?.aborted).toBe(true));
  });

  it('sends progress for a call that asks for it, and none after the answer', async () => {
    const lab = await openWire(() => ({}));
    const call = { name: 'gemini_ask', arguments: { prompt: 'hi' }, _meta: { progressToken: 7 } };
    await lab.request('tools/call', call).answer;
    const count = lab.notifications.length;
    expect(lab.notifications[0]).toMatchObject({
      method: 'notifications/progress',
      params: { progressToken: 7, progress: 1 },
    });
    await lab.call('gemini_ask', { prompt: 'hi' });
    expect(lab.notifications).toHaveLength(count);
  });

  it('runs a number of jobs at a time, lets others wait, and refuses more', async () => {
    const lab = await openWire(answerHangs, { maxJobs: 2 });
    const jobs: unknown[] = [];
    for (let index = 0; index < 102; index++) {
      jobs.push(await lab.call('gemini_ask', { prompt: 'hang', waitSeconds: 0 }));
    }
    expect(jobs[1]).toMatchObject({ state: 'running' });
    expect(jobs[2]).toMatchObject({ state: 'waiting' });
    expect(await lab.call('gemini_ask', { prompt: 'hang' })).toMatchObject({
      isError: true,
      error: { code: 'RATE_LIMITED', retryable: true },
    });
    expect(lab.provider.calls).toHaveLength(2);
    const [first, , third] = jobs.map((job) => Object(job).jobId);
    expect(await lab.call('gemini_cancel', { jobId: third })).toMatchObject({ state: 'cancelled' });
    expect(await lab.call('gemini_cancel', { jobId: first })).toMatchObject({ state: 'cancelled' });
    await vi.waitFor(() => expect(lab.provider.calls).toHaveLength(3));
  });

  it('forgets the oldest jobs', async () => {
    const lab = await openWire(() => ({}));
    const { jobId } = await lab.call('gemini_ask', { prompt: 'first' });
    for (let index = 0; index < 50; index++) await lab.call('gemini_ask', { prompt: 'more' });
    expect(await lab.call('gemini_wait', { jobId })).toMatchObject({
      error: { code: 'INVALID_INPUT', hint: expect.stringContaining('gemini_status') },
    });
    const { result } = await lab.request('resources/list', {}).answer;
    expect(result?.resources).toHaveLength(50);
  });

  it('reads resources, and refuses those that do not exist', async () => {
    const lab = await openWire(() => ({ text: 'whole text' }));
    const { jobId } = await lab.call('gemini_ask', { prompt: 'hi' });
    const read = (part: string) =>
      lab.request('resources/read', { uri: `gemini://job/${jobId}/${part}` }).answer;
    expect((await read('text')).result?.contents).toMatchObject([{ text: 'whole text' }]);
    expect((await read('patch')).error?.message).toContain('has no patch');
    expect((await read('key')).error?.message).toContain('no part');
  });

  it('refuses wrong arguments without repeating them', async () => {
    const lab = await openWire(() => ({}));
    for (const args of [
      {},
      { prompt: '' },
      { prompt: 'x'.repeat(1_000_001) },
      { prompt: 'hi', waitSeconds: 60 },
      { prompt: 'hi', files: [7] },
    ]) {
      const result = await lab.call('gemini_ask', args);
      expect(JSON.stringify(result)).toMatch(/error/i);
      expect(JSON.stringify(result).length).toBeLessThan(2_000);
    }
    expect(lab.provider.calls).toEqual([]);
  });

  it('tells of failures with code, hint and what was done', async () => {
    const rewriteHint = (hint: string) => `Rewritten: ${hint}`;
    const lab = await openWire(() => ({ error: 'API_UNAVAILABLE', text: 'half' }), { rewriteHint });
    const { answer } = lab.request('tools/call', {
      name: 'gemini_ask',
      arguments: { prompt: 'hi' },
    });
    const { result } = await answer;
    expect(result?.isError).toBe(true);
    expect(result?.structuredContent).toMatchObject({
      state: 'failed',
      text: 'half',
      error: {
        code: 'API_UNAVAILABLE',
        retryable: true,
        hint: expect.stringMatching(/^Rewritten/),
      },
    });
  });

  it('survives garbage, and ends at a message that is too long', async () => {
    const lab = await openWire(() => ({}));
    lab.write('no JSON\n{"jsonrpc":"2.0"}\n[]\n\u0000\n{"id":');
    lab.write('1}\n');
    expect(await lab.call('gemini_ask', { prompt: 'hi' })).toMatchObject({ state: 'succeeded' });
    expect(lab.problems.length).toBeGreaterThan(0);
    lab.write('x'.repeat(65 * 1024 * 1024));
    await lab.disconnected;
  });

  it('ends all jobs when the client goes, and removes its folder', async () => {
    const lab = await openWire(answerHangs);
    await lab.call('gemini_ask', { prompt: 'hang', waitSeconds: 0 });
    expect(readdirSync(lab.state)).toEqual(['patches', expect.stringMatching(/^server-/)]);
    lab.end();
    await lab.disconnected;
    const folders = readdirSync(lab.state);
    await lab.close();
    expect(lab.provider.calls[0]?.signal?.aborted).toBe(true);
    expect(folders.some((folder) => existsSync(join(lab.state, folder)))).toBe(false);
  });

  it('checks configuration, roots and state before it serves', async () => {
    const wrong = [
      { config: { approvalMode: 'all' }, provider: undefined },
      { roots: ['/nowhere'] },
      { stateDir: join(import.meta.filename, 'state') },
    ];
    for (const options of wrong) {
      await expect(openWire(() => ({}), options)).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
    }
  });

  it('disposes of its provider', async () => {
    const provider = createScriptedProvider(() => ({}));
    const dispose = vi.spyOn(provider, 'dispose');
    const lab = await openWire(() => ({}), { provider });
    await lab.close();
    expect(dispose).toHaveBeenCalled();
  });
});

describe('gemini_batch', () => {
  const steps = [
    { id: 'a', prompt: 'one' },
    { id: 'b', prompt: 'two {{steps.a.text}}' },
  ];
  const validate = async () => ({ cliPath: '', cliVersion: '', workingDir: '', notes: [] });
  const open = async (config: Record<string, unknown> = {}) => {
    const provider = { ...createScriptedProvider(({ prompt }) => ({ text: prompt })), validate };
    return { provider, lab: await openWire(() => ({}), { provider, config }) };
  };

  it('runs steps with the mode of the call, not with that of the server', async () => {
    const { provider, lab } = await open({ approvalMode: 'yolo' });
    expect(await lab.call('gemini_batch', { steps })).toMatchObject({
      state: 'succeeded',
      batch: { outcome: 'succeeded', steps: [{ id: 'a' }, { id: 'b', text: 'two one' }] },
    });
    expect(provider.calls[0]?.options).toMatchObject({ approvalMode: 'auto_edit' });
    await lab.call('gemini_batch', { steps, allowShell: true });
    expect(provider.calls[2]?.options).toMatchObject({ approvalMode: 'yolo' });
  });

  it('needs steps or a plan below a root', async () => {
    const { lab } = await open();
    for (const args of [{}, { steps, plan: 'plan.yaml' }, { plan: '../plan.yaml' }]) {
      const result = await lab.call('gemini_batch', args);
      expect(result).toMatchObject({ isError: true, error: { code: 'INVALID_INPUT' } });
    }
    const shell = await lab.call('gemini_batch', { steps, allowShell: true });
    expect(shell).toMatchObject({ isError: true, error: { code: 'INVALID_CONFIG' } });
    const missing = await lab.call('gemini_batch', { plan: 'plan.yaml' });
    expect(missing).toMatchObject({ state: 'failed' });
  });
});
