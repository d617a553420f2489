import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { startScriptedModel } from 'gemini-cli-provider/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { QWEN_SETTINGS, startOpenAiModel } from './openai-model.js';
import { makeFolder, read } from './support.js';

const root = join(import.meta.dirname, '..');
/** Wing READMEs are the manual: their snippets are run like those of README.md. */
const pages = [
  'README.md',
  ...readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('README.md'))
    .map((path) => join('src', path))
    .sort(),
];
const snippets = pages.flatMap((page) => {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code], index) => ({
    title: `${page} ${index + 1}`,
    file: `${page.replaceAll(/\W+/g, '-')}-${index + 1}.mjs`,
    code: `${code}`,
  }));
});
/** Folder of the snippets, inside of the package: a snippet can import the package by name, as users do. */
const folder = join(root, 'integration', '.snippets');
const execute = promisify(execFile);

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  for (const { file, code } of snippets) writeFileSync(join(folder, file), code);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a model for an agent that is not Gemini. Returns the variables for the agent. */
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

describe('the documentation', () => {
  it('has a snippet for each way of using the package', () => {
    const used = new Set(
      snippets.flatMap(({ code }) =>
        [...code.matchAll(/import \{([^}]+)\}/g)].flatMap(([, names]) =>
          `${names}`.split(',').map((name) => name.trim()),
        ),
      ),
    );
    expect(snippets.length).toBeGreaterThanOrEqual(14);
    expect([...used]).toEqual(
      expect.arrayContaining([
        'GeminiCliProvider',
        'AcpAgentProvider',
        'ProviderError',
        'ProviderRegistry',
        'runBatch',
        'listSessions',
        'getMessages',
        'toUnifiedMessages',
        'startScriptedModel',
      ]),
    );
  });

  it.each(snippets)('has a snippet that runs unchanged: $title', async ({ file }) => {
    const write = {
      toolCalls: [
        {
          name: 'write_file',
          args: { file_path: 'hello.js', content: "console.log('hello');\n" },
        },
      ],
    };
    const model = await startScriptedModel([
      // The model answers with JSON only when a repair asks for it.
      { prompt: 'was checked', turns: [{ text: '```json\n{"file": "hello.js"}\n```' }] },
      { turns: [write, { text: 'I have written hello.js.' }] },
    ]);
    onTestFinished(() => model.close());
    const workspace = makeFolder();
    const qwen = await startQwenModel(workspace);
    const path = [join(root, 'node_modules', '.bin'), process.env['PATH']].join(delimiter);
    const { stdout, stderr } = await execute(process.execPath, [join(folder, file)], {
      cwd: workspace,
      env: { ...process.env, ...model.env, ...qwen, PATH: path },
    });
    expect(stderr).toBe('');
    // A snippet of the queue has no worker: it adds a step and cancels it.
    if (stdout === 'waiting 1\n') return;
    expect(stdout).toMatch(/hello\.js|Done\. 1 3/);
    expect(read(workspace, 'hello.js')).not.toBe('');
  });

  it('has snippets that type-check', async () => {
    const files = snippets.map(({ file }) => join(folder, file));
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
