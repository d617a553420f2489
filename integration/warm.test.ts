import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AgentEvent,
  AgentPool,
  GeminiCliProvider,
  type GenerateResult,
  type PermissionRequest,
  ProviderError,
} from 'gemini-cli-provider';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  findRunProcesses,
  GEMINI,
  type LabOptions,
  makeFolder,
  openLab,
  read,
  shareLab,
} from './support.js';
import { running, writing } from './tool-calls.js';
import { keepWarm } from './warm-cli.js';

/** With a process of its own, to be looked at. */
const openCold = (script: Parameters<typeof openLab>[0], options: LabOptions = {}) => {
  return openLab(script, { ...options, config: { transport: 'acp', ...options.config } });
};
const warmCli = keepWarm();
const open: typeof openCold = (script, options) => openCold(script, { ...options, warmCli });

/**
 * A session can be taken up again in the next minute at the earliest: it is made before all tests, and taken up
 * after them.
 */
const early = shareLab(
  [
    { prompt: 'first', turns: [{ text: 'I am one.' }] },
    { prompt: 'second', turns: [{ text: 'I am two.' }] },
  ],
  { config: { transport: 'acp', pool: { idleShutdown: 600 } } },
);
let first: GenerateResult;
beforeAll(async () => {
  first = await early().run('first');
});

describe('a permission', () => {
  it('for a command is never given in auto_edit without a rule, however it is asked for', async () => {
    const commands = ['touch a', 'bash -c "touch b"', 'echo x > c', '(touch d)', 'cd . && touch e'];
    const lab = await open([...commands.map(running), { text: 'Done.' }]);
    const { deniedTools } = await lab.run();
    expect(readdirSync(lab.workspace)).toEqual([]);
    expect(deniedTools.map(({ tool, reason }) => [tool, reason])).toEqual(
      commands.map(() => ['run_shell_command', 'permission']),
    );
  });

  it('for a file is not given in default mode, and the call is told from beginning to end', async () => {
    const lab = await open([writing('a.txt', 'a'), { text: 'No.' }]);
    const events: AgentEvent[] = [];
    for await (const event of lab.provider.stream('go', {}, { approvalMode: 'default' })) {
      events.push(event);
    }
    const ofCall = events.filter((event) => 'callId' in event);
    expect(ofCall.map(({ type }) => type)).toEqual([
      'tool-invocation',
      'permission-request',
      'tool-completion',
    ]);
    expect(ofCall.at(-1)).toMatchObject({ isError: true, error: { type: 'permission_rejected' } });
    expect(readdirSync(lab.workspace)).toEqual([]);
  });

  it('is decided by the caller, who sees what is asked and what the rules would say', async () => {
    const asked: PermissionRequest[] = [];
    const onPermission = vi.fn((request: PermissionRequest) => {
      asked.push(request);
      return request.title.includes('allowed') ? 'allow_once' : 'reject';
    });
    const lab = await open([running('touch allowed'), running('touch other'), { text: 'Done.' }], {
      config: { onPermission },
    });
    const { files, deniedTools } = await lab.run('go', { workspaceScan: 'always' });
    expect(asked).toMatchObject([
      {
        toolName: 'run_shell_command',
        kind: 'execute',
        title: 'touch allowed',
        suggested: 'reject',
      },
      { title: 'touch other' },
    ]);
    expect(files.map(({ path }) => path)).toEqual(['allowed']);
    expect(deniedTools).toHaveLength(1);
  });

  it('that the caller is too slow to give is not given', async () => {
    const onPermission = () => new Promise<'allow_once'>(() => {});
    const lab = await open([running('touch a'), { text: 'Done.' }], {
      config: { onPermission, permissionTimeout: 0.2 },
    });
    expect((await lab.run()).deniedTools).toHaveLength(1);
  });

  it('that nobody is there to give fails the run where that is wanted', async () => {
    const lab = await open([writing('a.txt', 'a'), running('touch b'), { text: 'Done.' }], {
      config: { unattended: 'fail' },
    });
    const error = await lab.fail();
    expect(error).toMatchObject({
      code: 'TOOL_FAILED',
      hint: expect.stringContaining('run_shell_command(touch b)'),
      partial: { files: [{ path: 'a.txt' }], deniedTools: [{ tool: 'run_shell_command' }] },
    });
  });

  it('that is open does not keep a cancel from being heard', async () => {
    const controller = new AbortController();
    const onPermission = () => {
      controller.abort();
      return new Promise<'allow_once'>(() => {});
    };
    const lab = await open([running('touch a'), { text: 'Done.' }], { config: { onPermission } });
    expect(await lab.fail('go', { signal: controller.signal })).toMatchObject({
      code: 'CANCELLED',
    });
    // The process has heard it: the next step is served by the same one.
    expect(findRunProcesses(lab)).toHaveLength(1);
  });
});

describe('a warm process', () => {
  it('is rid of what a command has left running', async () => {
    const lab = await open([running('nohup sleep 7654 >/dev/null 2>&1 &'), { text: 'Done.' }], {
      config: { approvalMode: 'yolo' },
    });
    await lab.run();
    expect(findRunProcesses(lab).filter(({ command }) => /sleep 7654/.test(command))).toEqual([]);
    expect(findRunProcesses(lab)).toHaveLength(1);
  });

  it('without authentication is AUTH, and nothing is written into the settings', async () => {
    const home = makeFolder();
    const lab = await openCold([{ text: 'never' }], {
      config: { env: { GEMINI_CLI_HOME: home } },
    });
    expect(await lab.fail()).toMatchObject({ code: 'AUTH', retryable: false });
    expect(existsSync(join(home, '.gemini', 'settings.json'))).toBe(false);
  });

  it('has the MCP servers of the call, whose tools need a rule', async () => {
    const call = { toolCalls: [{ name: 'mcp_louder_shout', args: { text: 'hello' } }] };
    const mcpServers = [
      {
        name: 'louder',
        command: process.execPath,
        args: [join(import.meta.dirname, 'programs', 'mcp-server.mjs')],
        env: [{ name: 'LOUDER_END', value: '!' }],
      },
    ];
    const lab = await open([call, { text: 'Done.' }], { config: { mcpServers } });
    const denied = await lab.run();
    expect(denied.deniedTools).toMatchObject([{ tool: 'mcp_louder_shout' }]);
    expect(JSON.stringify(lab.model.requests)).not.toContain('HELLO!');
    const allowed = await lab.run('go', { allowedTools: ['mcp_louder_shout'] });
    expect(allowed.deniedTools).toEqual([]);
    expect(JSON.stringify(lab.model.requests)).toContain('HELLO!');
  });

  it('works in included folders too', async () => {
    const other = makeFolder();
    const lab = await open([writing(join(other, 'a.txt'), 'a'), { text: 'Done.' }], {
      config: { includeDirectories: [other] },
    });
    const { files } = await lab.run();
    expect(files).toMatchObject([{ outsideWorkspace: false, kind: 'created' }]);
    expect(read(other, 'a.txt')).toBe('a');
  });
});

describe('files that the agent writes through us', () => {
  it('can be watched and vetoed one by one', async () => {
    const seen: string[] = [];
    const beforeWrite = ({ path }: { path: string }) => {
      seen.push(path);
      return path !== 'vetoed.txt';
    };
    const lab = await open([writing('a.txt', 'a'), writing('vetoed.txt', 'b'), { text: 'Done.' }], {
      config: { clientFiles: { beforeWrite } },
    });
    const { files } = await lab.run();
    expect(seen).toEqual(['a.txt', 'vetoed.txt']);
    expect(readdirSync(lab.workspace)).toEqual(['a.txt']);
    expect(files).toMatchObject([{ path: 'a.txt', kind: 'created', confirmed: true }]);
  });
});

describe('a prompt', () => {
  it('arrives as it is written, whatever it looks like', async () => {
    const lab = await open([{ text: 'ok' }], { files: { 'secret.txt': 'SECRET' } });
    const prompts = ['@secret.txt please', '/help me', '-v', 'a\n\nb  ', '$HOME and `x`'];
    for (const prompt of prompts) {
      await lab.run(prompt);
      const sent = lab.model.requests.at(-1)?.promptParts ?? [];
      expect(sent).toHaveLength(1);
      expect(sent[0]?.replace(/^[\n\u200b]/, '').replace('\\@', '@')).toBe(prompt);
    }
  });
});

describe('a session', () => {
  it('that is not there is INVALID_INPUT', async () => {
    const lab = await open([{ text: 'never' }]);
    expect(await lab.fail('go', { resume: 'no-such' })).toMatchObject({ code: 'INVALID_INPUT' });
    expect(lab.model.requests).toEqual([]);
  });
});

describe('a pool', () => {
  it('serves 48 steps in 8 folders, 8 at a time, and mixes nothing up', async () => {
    const lab = await openCold([
      {
        turns: [
          {
            ...writing('out.txt', 'x'),
          },
          { text: 'Done.' },
        ],
        prompt: 'unused',
      },
      ...Array.from({ length: 48 }, (_, step) => ({
        prompt: `step ${step}.`,
        turns: [writing(`${step}.txt`, `content of ${step}`), { text: `Answer ${step}.` }],
      })),
    ]);
    const folders = Array.from({ length: 8 }, (_, index) => join(lab.workspace, `f${index}`));
    for (const folder of folders) mkdirSync(folder);
    const steps = Array.from({ length: 48 }, (_, step) => step);
    const runNext = async (): Promise<void> => {
      for (let step = steps.shift(); step !== undefined; step = steps.shift()) {
        const workingDir = folders[step % 8];
        const result = await lab.run(`step ${step}.`, { workingDir });
        expect(result).toMatchObject({
          text: `Answer ${step}.`,
          files: [{ path: `${step}.txt`, kind: 'created', confirmed: true }],
          usage: { total: 220, input: 200, output: 20, toolCalls: 1 },
        });
      }
    };
    await Promise.all(Array.from({ length: 8 }, runNext));
    for (const [index, folder] of folders.entries()) {
      const names = Array.from({ length: 6 }, (_, row) => `${row * 8 + index}.txt`);
      expect(readdirSync(folder).sort()).toEqual(names.sort());
      for (const name of names) {
        expect(read(folder, name)).toBe(`content of ${name.replace('.txt', '')}`);
      }
    }
    await lab.provider.dispose();
    expect(findRunProcesses(lab)).toEqual([]);
  });

  it('replaces processes that have had their sessions, or have died, without a word', async () => {
    const lab = await openCold([{ text: 'Done.' }], {
      config: { pool: { maxSessions: 3, spareSessions: 0 } },
    });
    for (let step = 0; step < 4; step++) expect((await lab.run()).text).toBe('Done.');
    for (const { pid } of findRunProcesses(lab)) process.kill(pid, 'SIGKILL');
    expect((await lab.run()).text).toBe('Done.');
    await lab.provider.dispose();
    expect(findRunProcesses(lab)).toEqual([]);
  });

  it('is shared by providers, and outlives each of them', async () => {
    const lab = await openCold([{ text: 'Done.' }]);
    const pool = new AgentPool();
    onTestFinished(() => pool.dispose());
    const config = {
      transport: 'acp',
      pool,
      env: lab.model.env,
      trustWorkspace: true,
      cliPath: GEMINI,
      workingDir: lab.workspace,
    };
    for (const model of ['gemini-2.5-flash', 'gemini-2.5-pro']) {
      const provider = new GeminiCliProvider({ ...config, model });
      const { usage } = await provider.generate('go');
      expect(Object.keys(usage?.models ?? {})).toEqual([model]);
      await provider.dispose();
    }
    expect(pool.stats()).toMatchObject({ processes: 1, started: 1, running: 0, waiting: 0 });
    await pool.dispose();
    expect(findRunProcesses(lab)).toEqual([]);
    const late = new GeminiCliProvider(config).generate('go');
    const error = await late.catch((reason: unknown) => reason);
    expect(ProviderError.isInstance(error) && error.code).toBe('CANCELLED');
  });

  it.each(['by itself', 'by SIGKILL'])('ends with its host, which ends %s', async (way) => {
    const lab = await openCold([{ text: 'Done.' }]);
    const program = join(import.meta.dirname, 'programs', 'warm-host.mjs');
    const args = [program, lab.workspace, GEMINI, way === 'by SIGKILL' ? 'stay' : 'go'];
    const host = spawn(process.execPath, args, {
      env: { ...process.env, ...lab.model.env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = await once(host.stdout, 'data');
    expect(String(said)).toContain('Done.');
    if (way === 'by SIGKILL') host.kill('SIGKILL');
    await once(host, 'exit');
    await vi.waitFor(() => expect(findRunProcesses(lab)).toEqual([]), { timeout: 15_000 });
  });
});

describe('a session of another minute', () => {
  it('goes on where it was, and has lost nothing', async () => {
    const second = await early().run('second', { resume: first.sessionId });
    expect(second).toMatchObject({ text: 'I am two.', sessionId: first.sessionId });
    expect(JSON.stringify(early().model.requests.at(-1)?.body)).toContain('I am one.');
  });
});
