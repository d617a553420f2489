import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedPostgres } from 'gemini-cli-provider/queue';
import { startScriptedModel } from 'gemini-cli-provider/testing';
import { CLI, ENVIRONMENT, flagsFor, PLAN } from './demo-batch.mjs';
import { SCRIPT } from './demo-script.mjs';

/** The worker that takes this job is killed: the batch is then in its middle. */
const FATAL_JOB = 3;
/** Time that the killed worker has for its last job. */
const WORK_MS = 300;
/** Folders that a run of the plan leaves in a workspace beside the files of its steps. */
const OWN = ['batch', 'plan.yaml'];

/**
 * Runs the plan on two worker processes over a PostgreSQL server from npm, kills one of them at work, and compares the files
 * with those of the first act. Returns the exit code.
 * @param {string} expected workspace of the first act
 */
export async function runDemoQueue(expected) {
  const model = await startScriptedModel(SCRIPT);
  const workspace = await mkdtemp(join(tmpdir(), 'demo-'));
  const ground = await mkdtemp(join(tmpdir(), 'demo-queue-'));
  const directory = await mkdtemp(join(tmpdir(), 'demo-postgres-'));
  const postgres = await startEmbeddedPostgres({ directory, temporary: true });
  const env = { ...ENVIRONMENT, GEMINI_CLI_PROVIDER_QUEUE: postgres.url };
  const workers = ['anna', 'berta'].map((name) =>
    startWorker(name, join(ground, name), model, env),
  );
  try {
    await Promise.all(workers.map(({ ready }) => ready));
    killOne(workers);
    const plan = join(workspace, 'plan.yaml');
    await copyFile(PLAN, plan);
    const flags = { queue: 'env', workspace: 'ship', out: join(workspace, 'batch'), state: ground };
    const words = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);
    const batch = spawn(process.execPath, [CLI, 'batch', plan, ...words], {
      stdio: 'inherit',
      env,
    });
    const [exitCode] = await once(batch, 'exit');
    return exitCode === 0 ? await compare(workspace, expected) : exitCode;
  } finally {
    for (const { child } of workers) child.kill('SIGTERM');
    await Promise.all(workers.map(({ exited }) => exited));
    postgres.close();
    await model.close();
    await rm(ground, { recursive: true, force: true });
  }
}

/**
 * Starts a worker with a cache of its own. Its events are JSON lines on its stdout.
 * @param {string} name
 * @param {string} cache
 * @param {import('gemini-cli-provider/testing').ScriptedModel} model
 * @param {NodeJS.ProcessEnv} env
 */
function startWorker(name, cache, model, env) {
  // A dead worker is replaced after 15 to 20 seconds by default. The demo does not take so long.
  const times = ['--lock-time', '3s', '--check-time', '1s', '--drain-limit', '5s'];
  const flags = ['--name', name, '--concurrency', '2', '--cache', cache, '--trust-workspace'];
  const args = [CLI, 'worker', '--json', ...flags, ...times, ...flagsFor(model)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  return { name, child, exited, lines, ready: Promise.race([once(lines, 'line'), exited]) };
}

/**
 * Kills the worker that takes the third job, while that job runs.
 * @param {readonly ReturnType<typeof startWorker>[]} workers
 */
function killOne(workers) {
  let jobs = 0;
  for (const { name, child, lines } of workers) {
    lines.on('line', async (line) => {
      const { type, prompt } = JSON.parse(line);
      if (type !== 'job-started' || ++jobs !== FATAL_JOB) return;
      await sleep(WORK_MS);
      child.kill('SIGKILL');
      console.error(`         SIGKILL: the worker ${name} dies at work on: ${prompt}`);
    });
  }
}

/**
 * Compares the files of both acts and prints what the report says about lost attempts. Returns the exit code.
 * @param {string} workspace
 * @param {string} expected
 */
async function compare(workspace, expected) {
  const { steps } = JSON.parse(await readFile(join(workspace, 'batch', 'report.json'), 'utf8'));
  for (const { id, attempts } of steps)
    for (const { job } of attempts)
      for (const { worker } of job?.lost ?? [])
        console.log(
          `Lost: the attempt of ${id} on ${worker}. ${job.worker} has run the step again`,
        );
  const [here, there] = await Promise.all([readFiles(workspace), readFiles(expected)]);
  const isSame = JSON.stringify(here) === JSON.stringify(there);
  console.log(
    isSame
      ? `The ${here.length} files are byte by byte those of act 1`
      : `The files in ${workspace} are not those in ${expected}`,
  );
  return isSame ? 0 : 1;
}

/**
 * Reads the files of all steps, in the order of their paths.
 * @param {string} workspace
 */
async function readFiles(workspace) {
  const entries = await readdir(workspace, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !OWN.some((own) => path.startsWith(join(workspace, own))))
    .sort();
  return Promise.all(
    paths.map(async (path) => [path.slice(workspace.length), await readFile(path, 'utf8')]),
  );
}
