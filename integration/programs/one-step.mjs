// Runs one step over the driver in the first argument (`headless` or `acp`): the real CLI against a scripted model.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GeminiCliProvider } from 'gemini-cli-provider';
import { startScriptedModel } from 'gemini-cli-provider/testing';

const ANSWER = 'the answer of the model';
const GEMINI = join(import.meta.dirname, '../../node_modules/.bin/gemini');

const model = await startScriptedModel([{ text: ANSWER }]);
const workingDir = mkdtempSync(join(tmpdir(), 'one-step-'));
const provider = new GeminiCliProvider({
  transport: process.argv[2] === 'acp' ? 'acp' : 'headless',
  model: 'gemini-2.5-flash',
  cliPath: GEMINI,
  workingDir,
  trustWorkspace: true,
  env: model.env,
});
try {
  const { text } = await provider.generate('go');
  if (text !== ANSWER) throw new Error(`The step answered ${JSON.stringify(text)}`);
} finally {
  await provider.dispose();
  await model.close();
  rmSync(workingDir, { recursive: true, force: true });
}
