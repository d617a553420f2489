import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { GEMINI, makeFolder, openLab } from './support.js';
import { writing } from './tool-calls.js';

const MAIN = join(import.meta.dirname, '..', 'dist', 'cli.js');
/** Title, clipboard, clear screen, C1, a colour that the command never uses, and a mark that reorders the line. */
const HOSTILE =
  '\u001b]0;owned\u0007\u001b]52;c;ZXZpbA==\u0007\u001b[2J\u009b2J\u009d0;owned\u009c\u001b[45m\u001bPq\u001b\\\u202egnp';

/** Runs the command in a pseudo-terminal and returns the bytes that the terminal gets. */
async function runInTerminal(
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<string> {
  const quoted = [process.execPath, MAIN, ...args].map(
    (word) => `'${word.replaceAll("'", "'\\''")}'`,
  );
  const { NO_COLOR: _, ...inherited } = process.env;
  const env = { ...inherited, TERM: 'xterm', ...options.env };
  const run = promisify(execFile)('script', ['-q', '-c', quoted.join(' '), '/dev/null'], {
    cwd: options.cwd,
    env,
    maxBuffer: 64 * 1024 * 1024,
  });
  run.child.stdin?.end();
  return (await run).stdout;
}

/** Removes the codes of the command itself: its six styles, and the redrawing of lines. */
function withoutOwnCodes(shown: string): string {
  const own = new RegExp(`${String.fromCharCode(27)}\\[(?:(?:1|2|22|3[12369])m|2K|\\d+A|J)`, 'g');
  // `script` without input repeats its end of file as ^D and two backspaces.
  return shown.replaceAll('^D\b\b', '').replace(own, '').replaceAll('\r', '');
}

function expectClean(shown: string, visible: string): void {
  const text = withoutOwnCodes(shown);
  expect(text).not.toMatch(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/u);
  expect(text).toContain(visible);
}

describe('a terminal gets no sequence of a model, a file or a plan (claim: terminal-clean)', () => {
  it('from run, sessions list, show and export', async () => {
    const lab = await openLab([
      writing(`a${HOSTILE}.txt`, `content ${HOSTILE}\n`),
      { toolCalls: [{ name: `no_tool${HOSTILE}`, args: { file_path: HOSTILE } }] },
      { text: `Done ${HOSTILE}.` },
    ]);
    const options = { cwd: lab.workspace, env: { ...lab.model.env, GEMINI_CLI_PATH: GEMINI } };
    const flags = ['--model', 'gemini-2.5-flash', '--trust-workspace'];
    expectClean(await runInTerminal(['run', `go ${HOSTILE}`, ...flags], options), 'Done');
    expectClean(await runInTerminal(['sessions', 'show', 'latest'], options), 'Done');
    expectClean(await runInTerminal(['sessions', 'export', 'latest'], options), 'Done');
    expectClean(await runInTerminal(['sessions', 'list', '--all'], options), 'go ');
  });

  it('from a crafted session file, in every format', async () => {
    const folder = makeFolder();
    const file = join(folder, 'session.jsonl');
    const time = '2026-01-01T00:00:00.000Z';
    const call = { id: 'c', name: `tool${HOSTILE}`, args: { [HOSTILE]: HOSTILE }, status: 'error' };
    const display = { fileDiff: `+${HOSTILE}`, filePath: HOSTILE, newContent: HOSTILE };
    const lines = [
      { sessionId: `id${HOSTILE}`, projectHash: 'h', startTime: time, summary: `sum${HOSTILE}` },
      { id: '1', timestamp: time, type: 'user', content: HOSTILE },
      {
        id: '2',
        timestamp: time,
        type: 'gemini',
        content: `visible${HOSTILE}`,
        model: `model${HOSTILE}`,
        thoughts: [{ subject: HOSTILE, description: HOSTILE }],
        toolCalls: [{ ...call, resultDisplay: display, result: HOSTILE }],
        tokens: { input: 1, output: 1, total: 2 },
      },
    ];
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    for (const format of ['text', 'markdown', 'unified', 'raw']) {
      const args = ['sessions', 'show', '--file', file, '--format', format];
      expectClean(await runInTerminal(args, { cwd: folder }), 'visible');
    }
  });

  it('from explain, doctor, batch, their errors, and wrong arguments', async () => {
    const folder = makeFolder({
      'out.ndjson': [
        { type: 'init', session_id: HOSTILE, model: HOSTILE, timestamp: 't' },
        { type: 'message', role: 'assistant', content: `visible${HOSTILE}`, delta: true },
        { type: 'tool_use', tool_name: HOSTILE, tool_id: 'x', parameters: { file_path: HOSTILE } },
        { type: 'result', status: 'error', error: { type: 'E', message: HOSTILE } },
      ]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
      'config.json': JSON.stringify({ [`unknown${HOSTILE}`]: 1, model: HOSTILE }),
      'plan.json': JSON.stringify({
        name: `plan${HOSTILE}`,
        steps: [{ id: 'a', for: { x: [HOSTILE] }, prompt: `visible {{x}} ${HOSTILE}` }],
      }),
      'wrong.json': JSON.stringify({ steps: [{ id: `visible${HOSTILE}`, [HOSTILE]: HOSTILE }] }),
    });
    const hostileFolder = join(folder, `visible${HOSTILE.replaceAll('/', '')}`);
    mkdirSync(hostileFolder);
    const env = { GEMINI_CLI_PATH: join(folder, `missing${HOSTILE}`) };
    const options = { cwd: folder, env };
    for (const [visible, ...args] of [
      ['visible', 'explain', '--stdout', 'out.ndjson', '--exit-code', '1'],
      ['visible', 'explain', '--stdout', 'out.ndjson', '--json'],
      ['visible', 'doctor', '--cwd', hostileFolder],
      ['unknown', 'doctor', '--config', 'config.json', '--json'],
      ['visible', 'batch', 'plan.json', '--dry-run', '--verbose'],
      ['failed', 'batch', 'plan.json', '--no-preflight', '--log-level', 'debug'],
      ['failed', 'batch', 'report', 'plan.batch'],
      ['visible', 'batch', 'wrong.json'],
      ['CLI_NOT_FOUND', 'run', `go ${HOSTILE}`, '--log-level', 'debug'],
      ['CLI_NOT_FOUND', 'run', 'go', '--events'],
      ['visible', 'run', `--visible${HOSTILE}`],
      ['visible', 'sessions', 'show', `visible${HOSTILE}`],
    ] as const) {
      expectClean(await runInTerminal(args, options), visible);
    }
  });
});
