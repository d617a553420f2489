import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type ScriptedModel, startScriptedModel } from 'gemini-cli-provider/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { gateCases } from '../gate-cases.js';
import { findProcesses, makeFolder } from '../support.js';
import { running } from '../tool-calls.js';
import { commitAll, connect, MAIN, serverArguments } from './mcp-lab.js';

const SCRIPT = [
  { prompt: 'hang', turns: [{ text: 'never', latencyMs: 600_000 }] },
  { turns: [{ text: 'Hello.' }] },
];
const HELLO = {
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
};
const HANG = {
  id: 2,
  method: 'tools/call',
  params: { name: 'gemini_ask', arguments: { prompt: 'hang' } },
};
const LINES = [HELLO, HANG].map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const WAIT = { timeout: 30_000, interval: 100 };

async function openModel(settings: Record<string, unknown> = {}): Promise<ScriptedModel> {
  const model = await startScriptedModel(SCRIPT, { settings });
  onTestFinished(() => model.close());
  return model;
}

const agentsOf = (model: ScriptedModel) =>
  findProcesses(`GEMINI_CLI_HOME=${model.env['GEMINI_CLI_HOME']}`);

/** Starts a server whose agent waits for the model. */
async function startHanging(model: ScriptedModel): Promise<ChildProcess> {
  const options = { model, roots: [makeFolder()], state: makeFolder() };
  const server = spawn(process.execPath, serverArguments(options), {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(() => void server.kill('SIGKILL'));
  for (const line of LINES) server.stdin?.write(line);
  await vi.waitFor(() => expect(model.requests).not.toEqual([]), WAIT);
  expect(agentsOf(model)).not.toEqual([]);
  return server;
}

describe('the end of the server takes the agent along', () => {
  it.each(
    gateCases(
      [
        ['SIGTERM', 0],
        ['SIGKILL', null],
      ] as const,
      1,
    ),
  )('%s', async (signal, code) => {
    const model = await openModel();
    const server = await startHanging(model);
    const exit = once(server, 'exit');
    server.kill(signal);
    expect((await exit)[0]).toBe(code);
    await vi.waitFor(() => expect(agentsOf(model)).toEqual([]), WAIT);
  });

  it('SIGKILL of the client (claim: mcp-ends-with-client)', async () => {
    const model = await openModel();
    const state = makeFolder();
    const args = serverArguments({ model, roots: [makeFolder()], state });
    const program = `
      const { spawn } = require('node:child_process');
      const server = spawn(process.execPath, ${JSON.stringify(args)}, { stdio: ['pipe', 'pipe', 'ignore'] });
      for (const line of ${JSON.stringify(LINES)}) server.stdin.write(line);
    `;
    const client = spawn(process.execPath, ['-e', program], { stdio: 'ignore' });
    await vi.waitFor(() => expect(model.requests).not.toEqual([]), WAIT);
    client.kill('SIGKILL');
    await vi.waitFor(() => expect(agentsOf(model)).toEqual([]), WAIT);
    await vi.waitFor(() => expect(readdirSync(state)).toEqual(['patches']), WAIT);
  });
});

describe('a cancelled call', () => {
  /** Commands that outlive an ordinary end of their shell: one ignores SIGTERM in a session of its own. */
  const stubborn = (seconds: number) =>
    `setsid sh -c 'trap "" TERM; sleep ${seconds} & wait' & sleep ${seconds}`;

  it.each(
    gateCases(
      [
        ['in a batch', 'gemini_batch', 7_303],
        ['with gemini_cancel', 'gemini_edit', 7_301],
        ['by the client', 'gemini_edit', 7_302],
      ] as const,
      1,
    ),
  )('%s ends all processes of the step (claim: mcp-cancel)', async (how, tool, seconds) => {
    const model = await startScriptedModel([
      { prompt: 'work', turns: [running(stubborn(seconds)), { text: 'never' }] },
    ]);
    onTestFinished(() => model.close());
    const root = makeFolder({ 'app.js': '' });
    commitAll(root);
    const flags = ['--approval-mode', 'yolo'];
    const client = await connect({ model, roots: [root], state: makeFolder(), flags });
    onTestFinished(() => client.close());
    const commands = () =>
      agentsOf(model).filter(({ command }) => command.includes(`sleep ${seconds}`));
    const work = { prompt: 'work', allowShell: true, cwd: root };
    const args =
      tool === 'gemini_edit'
        ? work
        : { ...work, prompt: undefined, steps: [{ id: 'a', prompt: 'work' }] };
    const abort = new AbortController();
    const isByClient = how === 'by the client';
    const call = client.call(tool, isByClient ? args : { ...args, waitSeconds: 0 }, {
      signal: abort.signal,
    });
    call.catch(() => {});
    await vi.waitFor(() => expect(commands().length).toBeGreaterThan(1), WAIT);
    if (isByClient) abort.abort();
    else await client.call('gemini_cancel', { jobId: (await call).structured['jobId'] });
    await vi.waitFor(() => expect(commands()).toEqual([]), WAIT);
    await vi.waitFor(async () => {
      const { structured } = await client.call('gemini_status', { cwd: root });
      expect(structured).toMatchObject({ server: { running: 0 } });
    }, WAIT);
  });
});

describe('the server survives', () => {
  it('garbage, long arguments and many calls, and keeps stdout for the protocol (claim: mcp-stdout)', async () => {
    const model = await openModel();
    const args = serverArguments({ model, roots: [makeFolder()], state: makeFolder() });
    const server = spawn(process.execPath, [...args, '--max-jobs', '8'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    onTestFinished(() => void server.kill('SIGKILL'));
    const answers = new Map<number, { result?: { structuredContent?: { state: string } } }>();
    createInterface({ input: server.stdout }).on('line', (line) => {
      const message = JSON.parse(line);
      answers.set(message.id, message);
    });
    const send = (message: object): void => {
      server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    };
    const ask = (id: number, prompt: string) => ({
      id,
      method: 'tools/call',
      params: { name: 'gemini_ask', arguments: { prompt } },
    });
    send(HELLO);
    server.stdin.write('garbage\n\u0000\u0001\n{"jsonrpc":"2.0","id":');
    server.stdin.write('}\n[1,2]\n');
    send(ask(2, 'x'.repeat(10_000_000)));
    await vi.waitFor(() => expect(answers.has(2)).toBe(true), WAIT);
    expect(JSON.stringify(answers.get(2)).length).toBeLessThan(2_000);
    for (let id = 3; id < 27; id++) send(ask(id, 'hello'));
    await vi.waitFor(() => expect(answers.size).toBe(26), WAIT);
    const states = [...answers].flatMap(([id, { result }]) =>
      id < 3 ? [] : [result?.structuredContent?.state],
    );
    expect(new Set(states)).toEqual(new Set(['succeeded']));
    server.stdin.end();
    const [code] = await once(server, 'exit');
    expect(code).toBe(0);
    await vi.waitFor(() => expect(agentsOf(model)).toEqual([]), WAIT);
  });

  it('a Gemini CLI that has this server in its own settings (claim: mcp-no-recursion)', async () => {
    const seen = join(makeFolder(), 'nested');
    const script = `node ${MAIN} mcp 2> ${seen}; echo $? >> ${seen}`;
    const mcpServers = { self: { command: 'sh', args: ['-c', script] } };
    const model = await openModel({ mcpServers });
    const client = await connect({ model, roots: [makeFolder()], state: makeFolder() });
    onTestFinished(() => client.close());
    const { structured } = await client.call('gemini_ask', { prompt: 'hello' });
    expect(structured).toMatchObject({ state: 'succeeded', text: 'Hello.' });
    await vi.waitFor(() => {
      const text = readFileSync(seen, 'utf8');
      expect(text).toContain('An agent that gemini-cli-provider runs has started this MCP server');
      expect(text).toMatch(/\n2\n$/);
    }, WAIT);
  });
});
