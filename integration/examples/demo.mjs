// Demo without a key and without a network: runs a batch of six code-generation steps on the real Gemini CLI against
// the scripted model, in a temporary workspace. `npm start` runs the demo.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startScriptedModel } from 'gemini-cli-provider/testing';

/**
 * @param {string} path
 * @param {string} content
 */
const write = (path, content) => ({
  latencyMs: 300,
  toolCalls: [{ name: 'write_file', args: { file_path: path, content } }],
});
const done = {
  latencyMs: 300,
  text: ['The file is written, ', 'and it works.'],
  chunkDelayMs: 100,
};

const GREET = `/** Returns a greeting. */
export const greet = (name) => 'Hello, ' + name + '!';
`;
const FAREWELL = `export const farewell = (name) => 'Goodbye, ' + name + '!';
`;
const INDEX = `import { farewell } from './src/farewell.js';
import { greet } from './src/greet.js';

console.log(greet('world'));
console.log(farewell('world'));
`;

const model = await startScriptedModel([
  { prompt: 'src/greet.js, which', turns: [write('src/greet.js', GREET), done] },
  {
    prompt: 'src/farewell.js, which',
    turns: [
      {
        attempts: [
          { error: { status: 429, message: 'Too many requests.', retryDelay: '2s' } },
          write('src/farewell.js', FAREWELL),
        ],
      },
      done,
    ],
  },
  {
    prompt: 'into de',
    turns: [write('src/greet.de.js', GREET.replaceAll('Hello', 'Hallo')), done],
  },
  {
    prompt: 'into fr',
    turns: [write('src/greet.fr.js', GREET.replaceAll('Hello', 'Bonjour')), done],
  },
  // The first answer has a wrong import path. The repair prompt has the output of the command, and its answer is right.
  {
    prompt: 'Write index.js',
    turns: [write('index.js', INDEX.replace('./src/greet.js', './greet.js')), done],
  },
  { prompt: 'was checked', turns: [write('index.js', INDEX), done] },
  {
    prompt: 'as JSON',
    turns: [{ latencyMs: 300, text: 'There are four modules.\n{"modules": 4}' }],
  },
]);
const workspace = await mkdtemp(join(tmpdir(), 'demo-'));
// The demo is not resumed: its state need not stay in the user's state directory.
const state = await mkdtemp(join(tmpdir(), 'demo-state-'));
const plan = join(workspace, 'plan.yaml');
await copyFile(new URL('demo-plan.yaml', import.meta.url), plan);

try {
  const cli = new URL('../../dist/cli.js', import.meta.url).pathname;
  const env = {
    GEMINI_CLI_PATH: new URL('../../node_modules/.bin/gemini', import.meta.url).pathname,
  };
  const flags = Object.entries(model.env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const args = [cli, 'batch', plan, '--out', join(workspace, 'batch'), '--state', state, ...flags];
  const child = spawn(process.execPath, args, {
    stdio: 'inherit',
    env: { ...env, ...process.env },
  });
  [process.exitCode] = await once(child, 'exit');
} finally {
  await model.close();
  await rm(state, { recursive: true, force: true });
}
