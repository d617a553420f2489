import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type BatchPlan, runBatch } from 'gemini-cli-provider/batch';
import { listSessions, readSession } from 'gemini-cli-provider/sessions';
import { describe, expect, it } from 'vitest';
import { gateCases } from './gate-cases.js';
import { findLabProcesses, GEMINI, type Lab, openLab } from './support.js';
import { running, writing } from './tool-calls.js';

const MAIN = join(import.meta.dirname, '..', 'dist', 'cli.js');
const FLAGS = ['--model', 'gemini-2.5-flash', '--trust-workspace'];
const SCRIPT = [
  { prompt: 'first', turns: [writing('one.txt', '1\n'), { text: 'I am one.' }] },
  { prompt: 'second', turns: [running('seq 1 20000'), { text: 'I am two.' }] },
  { prompt: 'third', turns: [{ text: 'I am three.' }] },
  { prompt: 'again', turns: [{ text: 'Once more.' }] },
  { prompt: 'hang', turns: [{ text: 'never', latencyMs: 600_000 }] },
];
const TRANSPORTS = ['headless', 'acp'] as const;
type Transport = (typeof TRANSPORTS)[number];

async function openRepository(): Promise<Lab> {
  const lab = await openLab(SCRIPT, { files: { 'README.md': 'hello\n' } });
  const git = (...args: string[]) => execFileSync('git', ['-C', lab.workspace, ...args]);
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'first');
  return lab;
}

function planOf({ workspace }: Lab, transport: Transport, steps: BatchPlan['steps']): BatchPlan {
  const defaults = {
    workingDir: workspace,
    transport,
    isolation: 'worktree',
    retries: 0,
    approvalMode: 'yolo',
  } as const;
  return { name: 'sessions', defaults, steps };
}

function run(lab: Lab, plan: BatchPlan) {
  const config = {
    model: 'gemini-2.5-flash',
    trustWorkspace: true,
    cliPath: GEMINI,
    env: lab.model.env,
  };
  return runBatch(plan, { config, out: join(lab.home, `out-${plan.steps[0]?.id}`) });
}

/** Runs a program of the repository, such as the command line. */
async function call(lab: Lab, file: string, ...args: string[]): Promise<string> {
  const env = {
    ...process.env,
    ...lab.model.env,
    GEMINI_CLI_PATH: GEMINI,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    GEMINI_CLI_NO_RELAUNCH: 'true',
  };
  const call = promisify(execFile)(process.execPath, [file, ...args], { cwd: lab.workspace, env });
  call.child.stdin?.end();
  return (await call).stdout;
}

/** Returns everything that the CLI keeps for projects: entries of the registry and folders. */
function projectsOf({ home }: Lab) {
  const gemini = join(home, '.gemini');
  const { projects } = JSON.parse(readFileSync(join(gemini, 'projects.json'), 'utf8'));
  return {
    dirs: Object.keys(projects),
    tmp: readdirSync(join(gemini, 'tmp')).filter((name) => name !== 'bin'),
    history: readdirSync(join(gemini, 'history')),
  };
}

function sessionsOf({ home, workspace }: Lab) {
  return listSessions({ geminiHome: join(home, '.gemini'), projectDir: workspace });
}

/** Makes a session one hour older: a session cannot be loaded over ACP in the minute in which it was created. */
async function makeOlder(lab: Lab, id: string): Promise<void> {
  const { file, startedAt } = (await sessionsOf(lab)).find((one) => one.id === id) ?? {};
  if (file === undefined || startedAt === undefined) throw new Error(`There is no session ${id}`);
  const earlier = new Date(Date.parse(startedAt) - 3_600_000).toISOString();
  const content = readFileSync(file, 'utf8');
  writeFileSync(file, content.replaceAll(/"startTime":"[^"]+"/g, `"startTime":"${earlier}"`));
  const stamp = earlier.slice(0, 16).replace(':', '-');
  const name = basename(file).replace(/^session-.{16}/, `session-${stamp}`);
  renameSync(file, join(dirname(file), name));
}

const lastRequest = ({ model }: Lab) => JSON.stringify(model.requests.at(-1)?.body['contents']);

describe.each(gateCases(TRANSPORTS, 1))('sessions of isolated steps over %s', (transport) => {
  it('are listed and resumed in the repository, and the home keeps no other project', async () => {
    const lab = await openRepository();
    const report = await run(
      lab,
      planOf(lab, transport, [
        { id: 'one', prompt: 'first' },
        { id: 'two', prompt: 'second' },
        { id: 'three', prompt: 'third', isolation: 'copy' },
      ]),
    );
    expect(report.outcome).toBe('succeeded');
    const ids = report.steps.map(({ sessionId }) => sessionId ?? 'none');
    const listed = await sessionsOf(lab);
    expect(listed.map(({ id }) => id).sort()).toEqual(ids.toSorted());
    expect(listed.map(({ firstPrompt }) => firstPrompt).sort()).toEqual([
      'first',
      'second',
      'third',
    ]);
    const only = [expect.any(String)];
    expect(projectsOf(lab)).toEqual({ dirs: [lab.workspace], tmp: only, history: only });
    const text = listed.map(({ file }) => readFileSync(file, 'utf8')).join('');
    // Paths of the worktree are those of the repository now.
    expect(text).not.toContain('/tree/');
    expect(text).toContain(join(lab.workspace, 'one.txt'));

    const shown = await call(lab, MAIN, 'sessions', 'list');
    for (const prompt of ['first', 'second', 'third']) expect(shown).toContain(prompt);
    expect(await call(lab, MAIN, 'sessions', 'show', ids[0] ?? '')).toContain('I am one.');

    const [id = ''] = ids;
    await makeOlder(lab, id);
    const flags = [...FLAGS, '--transport', transport, '--resume', id];
    expect(await call(lab, MAIN, 'run', ...flags, 'again')).toContain('Once more.');
    expect(lastRequest(lab)).toContain('I am one.');
    expect(
      await call(lab, GEMINI, '-m', 'gemini-2.5-flash', '--resume', id, '-p', 'again'),
    ).toContain('Once more.');
    expect(lastRequest(lab)).toContain('I am one.');

    // A later isolated step resumes the session of the earlier one.
    await makeOlder(lab, id);
    const steps = [{ id: 'more', prompt: 'again', resume: id }];
    const more = await run(lab, planOf(lab, transport, steps));
    expect(more.steps).toMatchObject([{ state: 'succeeded', sessionId: id }]);
    expect(lastRequest(lab)).toContain('I am one.');
    const again = (await sessionsOf(lab)).find((one) => one.id === id);
    const { messages, complete } = await readSession(again?.file ?? '');
    const answers = messages.filter(({ type, content }) => {
      return type === 'gemini' && /I am one|Once more/.test(JSON.stringify(content));
    });
    expect(answers).toHaveLength(4);
    expect(complete).toBe(true);
    expect(projectsOf(lab)).toEqual({ dirs: [lab.workspace], tmp: only, history: only });
  });

  it('of a killed batch are found after the next run, which also removes its projects', async () => {
    const lab = await openRepository();
    const plan = join(lab.home, 'plan.json');
    const args = ['batch', plan, '--out', join(lab.home, 'out'), ...FLAGS];
    const steps = [{ id: 'stuck', prompt: 'hang' }];
    writeFileSync(plan, JSON.stringify(planOf(lab, transport, steps)));
    const env = { ...process.env, ...lab.model.env, GEMINI_CLI_PATH: GEMINI };
    const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: 'ignore' });
    while (lab.model.requests.length === 0) await sleep(50);
    child.kill('SIGKILL');
    await once(child, 'exit');
    while (findLabProcesses(lab).length > 0) await sleep(50);
    expect(projectsOf(lab).dirs).not.toContain(lab.workspace);
    expect(projectsOf(lab).dirs.length).toBeGreaterThan(0);
    expect(await sessionsOf(lab)).toEqual([]);

    writeFileSync(plan, JSON.stringify(planOf(lab, transport, [{ id: 'stuck', prompt: 'third' }])));
    await call(lab, MAIN, ...args);
    const prompts = (await sessionsOf(lab)).map(({ firstPrompt }) => firstPrompt);
    expect(prompts.sort()).toEqual(['hang', 'third']);
    const only = [expect.any(String)];
    expect(projectsOf(lab)).toEqual({ dirs: [lab.workspace], tmp: only, history: only });
  });
});
