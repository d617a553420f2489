// Runs the AI SDK of the folder in the first argument, with the copy of this package that is installed there: text with tool
// events, a stream, and a checked object, on the real CLI with a scripted model.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startScriptedModel } from 'gemini-cli-provider/testing';

const GEMINI = join(import.meta.dirname, '../../node_modules/.bin/gemini');
const folder = process.argv[2] ?? '';
const { resolve } = createRequire(join(folder, 'package.json'));
const load = (/** @type {string} */ name) => import(pathToFileURL(resolve(name)).href);
/** @type {typeof import('ai')} */
const { generateText, Output, jsonSchema, streamText } = await load('ai');
/** @type {typeof import('gemini-cli-provider/ai-sdk')} */
const { createGeminiCli } = await import(
  pathToFileURL(join(folder, 'node_modules/gemini-cli-provider/dist/ai-sdk.js')).href
);

const model = await startScriptedModel([
  { prompt: 'JSON Schema', turns: [{ text: '{"name": "Ada"}' }] },
  {
    turns: [
      { toolCalls: [{ name: 'write_file', args: { file_path: 'a.txt', content: 'hi\n' } }] },
      { text: 'Done.' },
    ],
  },
]);
const workingDir = mkdtempSync(join(tmpdir(), 'ai-sdk-step-'));
const gemini = createGeminiCli({
  cliPath: GEMINI,
  workingDir,
  trustWorkspace: true,
  env: model.env,
});
try {
  const flash = gemini('gemini-2.5-flash');
  const whole = await generateText({ model: flash, prompt: 'go' });
  assertEqual(whole.text, 'Done.');
  assertEqual(whole.toolResults.length, 1);
  const types = [];
  for await (const { type } of streamText({ model: flash, prompt: 'go' }).fullStream)
    types.push(type);
  assertEqual(types.includes('tool-result') && !types.includes('error'), true);
  const schema = jsonSchema({ type: 'object', required: ['name'] });
  const output = Output.object({ schema });
  const object = await generateText({ model: flash, prompt: 'Who?', output });
  assertEqual(JSON.stringify(object.output), '{"name":"Ada"}');
} finally {
  await gemini.dispose();
  await model.close();
  rmSync(workingDir, { recursive: true, force: true });
}

/**
 * @param {unknown} actual
 * @param {unknown} expected
 */
function assertEqual(actual, expected) {
  if (actual !== expected) throw new Error(`Got ${String(actual)}, not ${String(expected)}`);
}
