import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { startScriptedModel } from 'gemini-cli-provider/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { QWEN_SETTINGS, startOpenAiModel } from './openai-model.js';
import { makeFolder, read } from './support.js';

const root = join(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const snippets = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = '']) => code);
/** Inside of the package, so that it can import itself by name as its users do. */
const folder = join(root, 'integration', '.snippets');
const execute = promisify(execFile);

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  for (const [index, code] of snippets.entries()) writeFileSync(join(folder, `${index}.mjs`), code);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A model for the agent that is not Gemini, and the variables with which it is used. */
async function startQwenModel(workspace: string): Promise<Record<string, string>> {
  const model = await startOpenAiModel();
  onTestFinished(() => model.close());
  const args = { file_path: join(workspace, 'hello.js'), content: "console.log('hello');\n" };
  model.script('hello.js', [{ tool: { name: 'write_file', args } }, { text: 'Done.' }]);
  return {
    HOME: makeFolder({ '.qwen/settings.json': QWEN_SETTINGS }),
    OPENAI_API_KEY: 'none',
    OPENAI_BASE_URL: model.url,
    OPENAI_MODEL: 'scripted',
  };
}

describe('the README', () => {
  it('has a snippet for each way of using the package', () => {
    expect(snippets).toHaveLength(10);
  });

  it.each(snippets.map((_, index) => index))(
    'has a snippet %i that runs as it stands',
    async (index) => {
      const write = {
        toolCalls: [
          {
            name: 'write_file',
            args: { file_path: 'hello.js', content: "console.log('hello');\n" },
          },
        ],
      };
      const model = await startScriptedModel([
        // The answer as it was asked for comes only when it is asked for again.
        { prompt: 'was checked', turns: [{ text: '```json\n{"file": "hello.js"}\n```' }] },
        { turns: [write, { text: 'I have written hello.js.' }] },
      ]);
      onTestFinished(() => model.close());
      const workspace = makeFolder();
      const qwen = await startQwenModel(workspace);
      const path = [join(root, 'node_modules', '.bin'), process.env['PATH']].join(delimiter);
      const { stdout, stderr } = await execute(process.execPath, [join(folder, `${index}.mjs`)], {
        cwd: workspace,
        env: { ...process.env, ...model.env, ...qwen, PATH: path },
      });
      expect(stderr).toBe('');
      expect(stdout).toMatch(/hello\.js|Done\. 1 3/);
      expect(read(workspace, 'hello.js')).not.toBe('');
    },
  );

  it('has snippets that type-check', async () => {
    const files = snippets.map((_, index) => join(folder, `${index}.mjs`));
    const options = [
      '--noEmit',
      '--allowJs',
      '--checkJs',
      '--skipLibCheck',
      '--noImplicitAny',
      'false',
    ];
    const modern = [
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--lib',
      'es2023',
      '--types',
      'node',
      '--strict',
    ];
    const tsc = join(root, 'node_modules', '.bin', 'tsc');
    const { stdout } = await execute(tsc, ['--ignoreConfig', ...modern, ...options, ...files], {
      cwd: root,
    });
    expect(stdout).toBe('');
  });
});
