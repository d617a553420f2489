import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startScriptedModel } from 'gemini-cli-provider/testing';
import { SCRIPT } from './demo-script.mjs';

export const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
export const PLAN = fileURLToPath(new URL('demo-plan.yaml', import.meta.url));
/** Environment of the commands. A CLI that the user names goes before that of this repository. */
export const ENVIRONMENT = {
  GEMINI_CLI_PATH: fileURLToPath(new URL('../../node_modules/.bin/gemini', import.meta.url)),
  ...process.env,
};

/**
 * Returns flags that lead the Gemini CLI to the scripted model.
 * @param {import('gemini-cli-provider/testing').ScriptedModel} model
 */
export function flagsFor(model) {
  return Object.entries(model.env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
}

/** Runs the plan on this machine. Returns the exit code, and the folder with the files of the steps. */
export async function runDemoBatch() {
  const model = await startScriptedModel(SCRIPT);
  const workspace = await mkdtemp(join(tmpdir(), 'demo-'));
  // The demo is not resumed: its state need not stay in the user's state directory.
  const state = await mkdtemp(join(tmpdir(), 'demo-state-'));
  const plan = join(workspace, 'plan.yaml');
  await copyFile(PLAN, plan);
  try {
    const out = join(workspace, 'batch');
    const args = [CLI, 'batch', plan, '--out', out, '--state', state, ...flagsFor(model)];
    const child = spawn(process.execPath, args, { stdio: 'inherit', env: ENVIRONMENT });
    const [exitCode] = await once(child, 'exit');
    return { exitCode: Number(exitCode ?? 1), workspace };
  } finally {
    await model.close();
    await rm(state, { recursive: true, force: true });
  }
}
