// Real CLI with a scripted model for the programs of this folder. `npm run test:engines` copies them beside an installed engine.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GeminiCliProvider } from 'gemini-cli-provider';
import { startScriptedModel } from 'gemini-cli-provider/testing';

const LIMITED = { error: { status: 429, retryDelay: '400s' } };
const HELLO = { name: 'write_file', args: { file_path: 'hello.txt', content: 'hi\n' } };

/** Opens a provider whose answers are known: `greet` writes a file, `limited` is 429 once, `login` 401, `wait` takes a minute. */
export async function openEngineLab() {
  const model = await startScriptedModel([
    { prompt: 'greet', turns: [{ toolCalls: [HELLO] }, { text: 'Done.' }] },
    { prompt: 'limited', turns: [{ attempts: [LIMITED, { text: 'After a retry.' }] }] },
    { prompt: 'refused', turns: [LIMITED] },
    { prompt: 'login', turns: [{ error: { status: 401, message: 'No key.' } }] },
    { prompt: 'wait', turns: [{ text: ['a', 'b'], chunkDelayMs: 60_000 }] },
    { turns: [{ text: 'Again.' }] },
  ]);
  const workingDir = mkdtempSync(join(tmpdir(), 'engine-'));
  const provider = new GeminiCliProvider({
    transport: 'acp',
    model: 'gemini-2.5-flash',
    env: model.env,
    workingDir,
    trustWorkspace: true,
  });
  let failed = 0;
  return {
    model,
    provider,
    workingDir,
    /** Runs a check and prints its outcome as a line of JSON. */
    check: async (name, run) => {
      try {
        await run();
        console.log(JSON.stringify({ check: name, ok: true }));
      } catch (error) {
        failed += 1;
        console.error(error);
        console.log(JSON.stringify({ check: name, ok: false }));
      }
    },
    close: async () => {
      await provider.dispose();
      await model.close();
      rmSync(workingDir, { recursive: true, force: true });
      // Servers and workers of an engine may keep the process alive.
      process.exit(failed === 0 ? 0 : 1);
    },
  };
}

/** Returns the reason of a rejection. Throws if there is none. */
export async function failureOf(promise) {
  const reason = await promise.then(
    () => undefined,
    (error) => error,
  );
  assert.ok(reason !== undefined, 'Nothing was thrown');
  return reason;
}
