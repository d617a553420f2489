import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startScriptedModel } from 'gemini-cli-provider/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runPipeline } from './examples/engine.mjs';
import { GEMINI, makeFolder, read } from './support.js';

describe('the demo', () => {
  it('shows progress, the text, the manifest with diffs and the usage', async () => {
    const program = join(import.meta.dirname, 'examples', 'demo.mjs');
    const { stdout } = await promisify(execFile)(process.execPath, [program], {
      env: { ...process.env, GEMINI_CLI_PATH: GEMINI },
    });
    expect(stdout).toMatch(/→ write_file src\/greet\.js[\s\S]*✓ write_file/);
    expect(stdout).toContain('── text ──\nI read the page');
    expect(stdout).toMatch(/modified index\.js \(85 bytes, replace, confirmed: true\)/);
    expect(stdout).toContain("    +console.log(greet('world'));");
    expect(stdout).toContain('created src/greet.js');
    expect(stdout).toContain(
      'run_shell_command: Set allowedTools: ["run_shell_command(node index.js)"]',
    );
    expect(stdout).toMatch(/330 tokens \(300 in, 30 out\), 4 tool calls/);
  });
});

describe('the example engine', () => {
  const write = (path: string) => ({
    toolCalls: [{ name: 'write_file', args: { file_path: path, content: `${path}\n` } }],
  });

  it('takes the provider in as a plugin, runs steps and stops at the first that fails', async () => {
    const model = await startScriptedModel([
      { prompt: 'one', turns: [write('one.txt'), { text: 'first' }] },
      { prompt: 'two', turns: [write('two.txt'), { error: { status: 400, message: 'No.' } }] },
    ]);
    onTestFinished(() => model.close());
    const projectRoot = makeFolder();
    const config = {
      model: 'gemini-2.5-flash',
      env: model.env,
      trust_workspace: true,
      cli_path: GEMINI,
    };
    const step = (id: string) => ({ id, provider: 'gemini-cli', prompt: id, config });
    const outcomes = await runPipeline([step('one'), step('two'), step('three')], projectRoot);
    expect(outcomes).toEqual([
      { id: 'one', ok: true, text: 'first', files: ['one.txt'] },
      { id: 'two', ok: false, text: '', files: ['two.txt'], error: 'API_REQUEST' },
    ]);
    expect(read(projectRoot, 'two.txt')).toBe('two.txt\n');
  });
});
