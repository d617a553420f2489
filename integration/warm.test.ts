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
  findLabProcesses,
  GEMINI,
  type LabOptions,
  makeFolder,
  openLab,
  read,
  shareLab,
} from './support.js';
import { running, writing } from './tool-calls.js';
import { keepWarm } from './warm-cli.js';

/** Opens a lab with a process of its own, so that a test can inspect the process. */
const openCold = (script: Parameters<typeof openLab>[0], options: LabOptions = {}) => {
  return openLab(script, { ...options, config: { transport: 'acp', ...options.config } });
};
const warmCli = keepWarm();
const open: typeof openCold = (script, options) => openCold(script, { ...options, warmCli });

/**
 * Lab for the test of a resume. A session can be resumed in the next minute at the earliest, so the session is
 * created before all tests, and the last test resumes it.
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
  it('for a command is never given in auto_edit mode without a rule, in whatever form the command is written', async () => {
    const commands = ['touch a', 'bash -c "touch b"', 'echo x > c', '(touch d)', 'cd . && touch e'];
    const lab = await open([...commands.map(running), { text: 'Done.' }]);
    const { deniedTools } = await lab.run();
    expect(readdirSync(lab.workspace)).toEqual([]);
    expect(deniedTools.map(({ tool, reason }) => [tool, reason])).toEqual(
      commands.map(() => ['run_shell_command', 'permission']),
    );
  });

  it('for a file is not given in default mode, and the call has events from invocation to completion', async () => {
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

  it('is decided by onPermission, which gets the request and the decision of the rules', async () => {
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

  it('is rejected when onPermission does not answer in time', async () => {
    const onPermission = () => new Promise<'allow_once'>(() => {});
    const lab = await open([running('touch a'), { text: 'Done.' }], {
      config: { onPermission, permissionTimeout: 0.2 },
    });
    expect((await lab.run()).deniedTools).toHaveLength(1);
  });

  it('that no rule gives fails the step when `unattended` is "fail"', async () => {
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

  it('that is pending does not block a cancel', async () => {
    const controller = new AbortController();
    const onPermission = () => {
      controller.abort();
      return new Promise<'allow_once'>(() => {});
    };
    const lab = await open([running('touch a'), { text: 'Done.' }], { config: { onPermission } });
    expect(await lab.fail('go', { signal: controller.signal })).toMatchObject({
      code: 'CANCELLED',
    });
    // The agent has handled the cancel, so its process stays for the next step.
    expect(findLabProcesses(lab)).toHaveLength(1);
  });
});

describe('a warm process', () => {
  it('has no command left running after the step', async () => {
    const lab = await open([running('nohup sleep 7654 >/dev/null 2>&1 &'), { text: 'Done.' }], {
      config: { approvalMode: 'yolo' },
    });
    await lab.run();
    expect(findLabProcesses(lab).filter(({ command }) => /sleep 7654/.test(command))).toEqual([]);
    expect(findLabProcesses(lab)).toHaveLength(1);
  });

  it('without authentication is AUTH, and settings.json is not written', async () => {
    const home = makeFolder();
    const lab = await openCold([{ text: 'never' }], {
      config: { env: { GEMINI_CLI_HOME: home } },
    });
    expect(await lab.fail()).toMatchObject({ code: 'AUTH', retryable: false });
    expect(existsSync(join(home, '.gemini', 'settings.json'))).toBe(false);
  });

  it('starts the MCP servers of the call, and their tools need a rule', async () => {
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

  it('writes files in included folders', async () => {
    const other = makeFolder();
    const lab = await open([writing(join(other, 'a.txt'), 'a'), { text: 'Done.' }], {
      config: { includeDirectories: [other] },
    });
    const { files } = await lab.run();
    expect(files).toMatchObject([{ outsideWorkspace: false, kind: 'created' }]);
    expect(read(other, 'a.txt')).toBe('a');
  });
});

describe('files that the agent writes through the client', () => {
  it('can be seen and rejected one by one in beforeWrite', async () => {
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
  it('that looks like a flag, a command or a file reference reaches the model as text', async () => {
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
  it('that does not exist is INVALID_INPUT', async () => {
    const lab = await open([{ text: 'never' }]);
    expect(await lab.fail('go', { resume: 'no-such' })).toMatchObject({ code: 'INVALID_INPUT' });
    expect(lab.model.requests).toEqual([]);
  });
});

describe('a pool', () => {
  it('runs 48 steps in 8 folders, 8 at a time, and each has its own answer and files', async () => {
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
    expect(findLabProcesses(lab)).toEqual([]);
  });

  it('replaces a process that died or reached maxSessions, and the next step succeeds', async () => {
    const lab = await openCold([{ text: 'Done.' }], {
      config: { pool: { maxSessions: 3, spareSessions: 0 } },
    });
    for (let step = 0; step < 4; step++) expect((await lab.run()).text).toBe('Done.');
    for (const { pid } of findLabProcesses(lab)) process.kill(pid, 'SIGKILL');
    await vi.waitUntil(() => findLabProcesses(lab).length === 0, 20_000);
    expect((await lab.run()).text).toBe('Done.');
    await lab.provider.dispose();
    expect(findLabProcesses(lab)).toEqual([]);
  });

  it('is shared by providers, and keeps its process when a provider is disposed', async () => {
    const lab = await openCold([{ text: 'Done.' }]);
    const pool = new AgentPool();
    onTestFinished(() => pool.dispose());
    const config = {
      transport: 'acp' as const,
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
    expect(findLabProcesses(lab)).toEqual([]);
    const late = new GeminiCliProvider(config).generate('go');
    const error = await late.catch((reason: unknown) => reason);
    expect(ProviderError.isInstance(error) && error.code).toBe('INVALID_INPUT');
  });

  it.each(['by itself', 'by SIGKILL'])('ends its processes when the host ends %s', async (way) => {
    const lab = await openCold([{ text: 'Done.' }]);
    const program = join(import.meta.dirname, 'programs', 'warm-host.mjs');
    const args = [program, lab.workspace, GEMINI, way === 'by SIGKILL' ? 'stay' : 'go'];
    const host = spawn(process.execPath, args, {
      env: { ...process.env, ...lab.model.env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [output] = await once(host.stdout, 'data');
    expect(String(output)).toContain('Done.');
    if (way === 'by SIGKILL') host.kill('SIGKILL');
    await once(host, 'exit');
    await vi.waitFor(() => expect(findLabProcesses(lab)).toEqual([]), { timeout: 15_000 });
  });
});

describe('a session of an earlier minute', () => {
  it('can be resumed with its earlier messages', async () => {
    const second = await early().run('second', { resume: first.sessionId });
    expect(second).toMatchObject({ text: 'I am two.', sessionId: first.sessionId });
    expect(JSON.stringify(early().model.requests.at(-1)?.body)).toContain('I am one.');
  });
});
