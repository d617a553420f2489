import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { GEMINI, makeFolder, read, shareLab } from './support.js';
import { writing } from './tool-calls.js';

const EXAMPLES = join(import.meta.dirname, 'examples');
const CLI = join(import.meta.dirname, '..', 'dist', 'cli.js');
/** An answer that tries to end the value of an output, to run commands of a workflow, and to leave its code block. */
const HOSTILE = [
  'EOF',
  'end-',
  'ghadelimiter_x',
  'code<<EOF',
  'success',
  'EOF',
  '::error::made up',
  '```',
  '````',
  '# Heading <script>',
  '$(touch owned)',
].join('\n');

describe('the recipes', () => {
  const lab = shareLab([
    { prompt: 'greet', turns: [writing('hello.txt', 'hi\n'), { text: 'Grüße.' }] },
    { prompt: 'hostile', turns: [writing('a`b.txt', 'x\n'), { text: HOSTILE }] },
    {
      turns: [
        writing('half.txt', 'x\n'),
        { error: { status: 400, message: '50 % \n::error::no' } },
      ],
    },
  ]);
  const environment = () => ({ ...process.env, ...lab().model.env, GEMINI_CLI_PATH: GEMINI });

  it('for Python run a step and raise its error', async () => {
    const { workspace } = lab();
    const flags = ['--trust-workspace', '--model', 'gemini-2.5-flash', '--cwd', workspace];
    const program = `
import json, sys
sys.path.insert(0, sys.argv[1])
from python_engine import GeminiCliProvider, ProviderError
provider = GeminiCliProvider(*json.loads(sys.argv[3]), command=(${JSON.stringify(process.execPath)}, sys.argv[2]))
types = []
result = provider.generate("Please greet: äöü", on_event=lambda event: types.append(event["type"]))
try:
    provider.generate("fail")
except ProviderError as error:
    failure = [error.code, error.retryable, [file["path"] for file in error.partial["files"]]]
print(json.dumps([result["response"], result["files"], types[-1], failure]))
`;
    const args = ['-c', program, EXAMPLES, CLI, JSON.stringify(flags)];
    const options = { env: { ...environment(), PYTHONDONTWRITEBYTECODE: '1' }, cwd: workspace };
    const { stdout } = await promisify(execFile)('python3', args, options);
    expect(JSON.parse(stdout)).toEqual([
      'Grüße.',
      { 'hello.txt': null },
      'turn-complete',
      ['API_REQUEST', false, ['half.txt']],
    ]);
    expect(lab().model.requests[0]?.prompt).toBe('Please greet: äöü');
    const lines = readFileSync(join(EXAMPLES, 'python_engine.py'), 'utf8').split('\n');
    const code = lines.filter((line) => line.trim() !== '' && !line.includes('"""'));
    expect(code.length).toBeLessThanOrEqual(25);
  });

  it('for LangGraph pass all checks of `npm run test:engines`', async () => {
    const program = join(import.meta.dirname, 'engines', 'langgraph.mjs');
    const options = { env: { ...process.env, GEMINI_CLI_PATH: GEMINI } };
    const { stdout } = await promisify(execFile)(process.execPath, [program], options);
    // LangGraph itself prints its retries.
    const lines = stdout.split('\n').filter((line) => line.startsWith('{"check":'));
    const results = JSON.parse(read(import.meta.dirname, 'engines/results.json'));
    const { checks } = results.find(({ engine }: { engine: string }) => engine === 'langgraph');
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      checks.map((check: string) => ({ check, ok: true })),
    );
  });

  /** Runs the script of the workflow as the runner does: bash with -e, and the files that the runner offers. */
  async function runWorkflow(prompt: string, cli = CLI) {
    const command = `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`;
    const bin = 'node_modules/.bin/gemini-cli-provider';
    const folder = makeFolder({ output: '', summary: '', [bin]: command });
    chmodSync(join(folder, bin), 0o755);
    const workflow = parse(read(EXAMPLES, 'github-workflow.yml'));
    const step = workflow.jobs.step.steps.find(({ id }: { id?: string }) => id === 'gemini');
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
      cwd: folder,
      env: {
        ...environment(),
        PROMPT: prompt,
        RUNNER_TEMP: makeFolder(),
        GITHUB_OUTPUT: join(folder, 'output'),
        GITHUB_STEP_SUMMARY: join(folder, 'summary'),
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      stdout += chunk;
    });
    const [code] = await once(child, 'close');
    return {
      code,
      stdout,
      folder,
      outputs: readOutputs(read(folder, 'output')),
      summary: read(folder, 'summary'),
    };
  }

  it('for GitHub Actions give a hostile answer no power', async () => {
    const prompt = 'hostile $(touch owned) `touch owned` "';
    const { code, stdout, outputs, summary, folder } = await runWorkflow(prompt);
    expect(code).toBe(0);
    expect(stdout).toBe('');
    expect(outputs).toMatchObject({ code: 'success', retryable: 'false', text: HOSTILE });
    expect(JSON.parse(outputs['files'] ?? '')).toEqual(['a`b.txt']);
    expect(outputs['patch']).toContain('+x');
    expect(JSON.parse(outputs['usage'] ?? '')).toMatchObject({ total: 220 });
    expect(Object.keys(outputs)).toHaveLength(8);
    expect(summary).toContain('### Gemini: success');
    expect(summary).toContain(`\`\`\`\`\`text\n${HOSTILE}\n\`\`\`\`\`\n`);
    expect(lab().model.requests.at(-1)?.prompt.trimEnd()).toBe(prompt);
    expect(() => read(folder, 'owned')).toThrow('ENOENT');
  });

  it('for GitHub Actions annotate a failure, and keep what it has written', async () => {
    const { code, stdout, outputs } = await runWorkflow('fail');
    expect(code).toBe(5);
    expect(stdout).toMatch(/^::error title=API_REQUEST::.*50 %25%0A.*\n$/);
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(outputs).toMatchObject({ code: 'API_REQUEST', files: '["half.txt"]' });
    const missing = await runWorkflow('fail', '/no/such/cli.js');
    expect(missing.code).toBe(1);
    expect(missing.stdout).toMatch(/^::error title=NOT_RUN::/);
    expect(missing.outputs).toMatchObject({ code: 'NOT_RUN', text: '', files: '[]' });
  });
});

/** Reads a file of outputs as the runner does: a value ends at the first line that is its delimiter. */
function readOutputs(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  const lines = text.split('\n');
  while (lines.length > 1) {
    const [, name = '', delimiter] = /^([\w-]+)<<(.+)$/.exec(lines.shift() ?? '') ?? [];
    expect(name).not.toBe('');
    const end = lines.indexOf(`${delimiter}`);
    outputs[name] = lines.splice(0, end).join('\n');
    lines.shift();
  }
  return outputs;
}
