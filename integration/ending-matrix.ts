import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { startScriptedModel } from 'gemini-cli-provider/testing';
import { choosePlainUser } from './plain-user.js';
import { GEMINI, makeFolder } from './support.js';

export const ENDINGS = [
  'normal',
  'cancel',
  'timeout',
  'SIGKILL',
  'throw',
  'exit',
  'dispose',
  'dispose-early',
  'worker',
  'SIGTERM',
  'abort',
] as const;

export interface EndingCase {
  readonly transport: 'headless' | 'acp';
  readonly ending: (typeof ENDINGS)[number];
  /** True if the host runs without privileges. Tests that are not root run so in any case. */
  readonly isPlainUser?: boolean;
  readonly processIsolation?: string;
  /** How often the command starts each of its four kinds of nasty processes. */
  readonly rounds?: number;
  /** Program and arguments before that of the host. */
  readonly launcher?: readonly string[];
  readonly cleanup: (act: () => void | Promise<void>) => void;
}

/** Launcher that makes the host the first process of a PID namespace. */
export const IN_NAMESPACE = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'];

/** Endings without a clean-up by the host. In a PID namespace that ends with the host, nothing can remove its folder. */
const ABRUPT: readonly EndingCase['ending'][] = ['SIGKILL', 'throw', 'exit', 'abort'];

/** Limits of a step that ends by its timeout. The first may be too short for the start of the CLI on a busy machine. */
const TIMEOUTS = [6, 15, 40];

/**
 * Runs a step whose command leaves nasty processes, lets its host end in the given way, and expects that nothing is left:
 * no process, and no private folder, unless the kernel has ended the reaper with the PID namespace of the host.
 */
export async function expectNothingLeft(given: EndingCase): Promise<void> {
  const limits = given.ending === 'timeout' ? TIMEOUTS : [undefined];
  for (const timeout of limits) {
    const started = await letStepEnd(given, timeout);
    if (given.ending === 'dispose-early' || started === 'yes\n') return;
  }
  throw new Error('The command of the step has not started its processes');
}

/** Returns what the command wrote after it had started its processes. */
async function letStepEnd(given: EndingCase, timeout: number | undefined): Promise<string> {
  const { ending, transport, cleanup } = given;
  // The seconds of `sleep` mark the processes of this case: a cleared environment cannot remove an argument.
  const mark = `64.${Math.random().toString().slice(2, 12)}`;
  const workspace = makeFolder({}, cleanup);
  const temp = makeFolder({}, cleanup);
  const ready = join(workspace, 'ready');
  const args = {
    command: nastyCommand(mark, ready, { rounds: given.rounds ?? 1, lasts: ending !== 'normal' }),
  };
  const model = await startScriptedModel([
    { text: 'On. ', toolCalls: [{ name: 'run_shell_command', args }] },
    { text: 'Done.' },
  ]);
  cleanup(() => model.close());
  const config = {
    model: 'gemini-2.5-flash',
    workingDir: workspace,
    trustWorkspace: true,
    approvalMode: 'yolo',
    cliPath: GEMINI,
    env: model.env,
    transport,
    ...(timeout === undefined ? {} : { timeout }),
    ...(given.processIsolation ? { processIsolation: given.processIsolation } : {}),
  };
  const user = given.isPlainUser === true ? choosePlainUser() : undefined;
  for (const folder of [workspace, temp, model.home]) user?.own(folder);
  const isFirst = given.launcher === IN_NAMESPACE;
  const program = join(import.meta.dirname, 'programs/ending-host.mjs');
  const [command = '', ...words] = [
    ...(given.launcher ?? []),
    ...(user?.launcher ?? []),
    process.execPath,
    program,
    JSON.stringify({ ending, config, ready, isFirst }),
  ];
  const host = spawn(command, words, {
    cwd: join(import.meta.dirname, '..'),
    env: { ...process.env, TMPDIR: temp, HOME: temp, XDG_CACHE_HOME: temp },
    stdio: ['ignore', 'pipe', 'ignore'],
    ...user?.identity,
  });
  cleanup(() => void host.kill('SIGKILL'));
  await letEnd(host, ending);
  await until(() => findMarked(mark, model.home).length === 0);
  if (!isFirst || !ABRUPT.includes(ending))
    await until(() => readdirSync(temp).every((name) => !name.startsWith('gemini-cli-provider-')));
  return existsSync(ready) ? readFileSync(ready, 'utf8') : '';
}

/**
 * Command that starts, in each round, a child that ignores SIGTERM, two daemons with neither environment nor limits, and a
 * process that is frozen.
 */
function nastyCommand(mark: string, ready: string, { rounds = 1, lasts = false }): string {
  const quiet = '>/dev/null 2>&1 </dev/null';
  const round = [
    `(setsid sh -c 'trap "" TERM HUP; sleep ${mark} & wait' ${quiet} &)`,
    `(ulimit -x unlimited; env -i setsid sh -c 'sleep ${mark} & exit' ${quiet} &)`,
    `(ulimit -x unlimited; cd /; env -i setsid setsid sh -c 'trap "" TERM; (sleep ${mark} & exit) & exit' ${quiet} &)`,
    `(env -i setsid sh -c 'sleep ${mark} & kill -STOP $!; exit' ${quiet} &)`,
  ];
  return [
    ...Array.from({ length: rounds }, () => round).flat(),
    `sleep 0.3; echo yes > ${ready}`,
    ...(lasts ? [`sleep ${mark}`] : []),
  ].join('; ');
}

async function letEnd(host: ChildProcess, ending: EndingCase['ending']): Promise<void> {
  const exited = once(host, 'exit');
  if (host.stdout === null) throw new Error('The host has no stdout');
  for await (const line of createInterface({ input: host.stdout })) {
    if (line === 'over') break;
    if (line !== 'ready') continue;
    if (ending === 'SIGKILL' || ending === 'SIGTERM') process.kill(findHost(host.pid), ending);
  }
  if (ending !== 'worker') await exited;
}

/** Returns the host itself: a launcher with a PID namespace has the host as its child, and does not pass signals on. */
function findHost(pid = 0): number {
  const [child = ''] = readProc(String(pid), `task/${pid}/children`).split(' ');
  return readProc(String(pid), 'comm').trim() === 'unshare' ? Number(child) : pid;
}

function findMarked(mark: string, home: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    const isMarked = readProc(pid, 'cmdline').includes(mark);
    return isMarked || readProc(pid, 'environ').includes(`GEMINI_CLI_HOME=${home}\0`);
  });
}

function readProc(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return '';
  }
}

/** Waits until the condition is true. The timeout of the test limits the wait. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(50);
}
