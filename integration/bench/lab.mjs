import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startScriptedModel } from 'gemini-cli-provider/testing';

export const GEMINI = join(import.meta.dirname, '..', '..', 'node_modules', '.bin', 'gemini');
export const PROMPT = 'Write the file.';
export const MODEL = 'gemini-2.5-flash';

/**
 * Starts the model for the step that all sides run: two model calls and one written file.
 * @param {number} [latencyMs] of each model call
 */
export async function openBenchLab(latencyMs) {
  const model = await startScriptedModel([
    {
      latencyMs,
      toolCalls: [{ name: 'write_file', args: { file_path: 'a.txt', content: 'hi\n' } }],
    },
    { latencyMs, text: 'Done.' },
  ]);
  const workspace = await mkdtemp(join(tmpdir(), 'bench-'));
  const env = { ...process.env, ...model.env, GEMINI_CLI_TRUST_WORKSPACE: 'true' };
  return {
    config: {
      model: MODEL,
      workingDir: workspace,
      env: model.env,
      trustWorkspace: true,
      cliPath: GEMINI,
    },
    /**
     * Runs the CLI as a user would start it in a shell.
     * @param {import('node:child_process').StdioOptions} stdio
     */
    runPlain: async (stdio = ['ignore', 'pipe', 'pipe']) => {
      const args = ['-o', 'stream-json', '-m', MODEL, '--approval-mode', 'auto_edit', '-p', PROMPT];
      const child = spawn(GEMINI, args, { cwd: workspace, env, stdio });
      let output = '';
      child.stdout?.on('data', (chunk) => {
        output += chunk;
      });
      child.stderr?.resume();
      await once(child, 'close');
      const events = output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      if (events.at(-1)?.type !== 'result') throw new Error('The CLI has printed no result');
    },
    /** Empties the list in which the scripted model keeps all requests. */
    forgetRequests: () => {
      Reflect.set(model.requests, 'length', 0);
    },
    close: async () => {
      await model.close();
      await rm(workspace, { recursive: true, force: true });
    },
  };
}

/**
 * @param {{ files: readonly unknown[] }} result
 */
export function assertWritten({ files }) {
  if (files.length !== 1) throw new Error(`The step has written ${files.length} files, not 1`);
}

/**
 * Runs steps of which at most `concurrency` are open at the same time.
 * @param {number} steps
 * @param {number} concurrency
 * @param {() => Promise<void>} run
 */
export async function runAll(steps, concurrency, run) {
  let left = steps;
  const work = async () => {
    while (left-- > 0) await run();
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}
