import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { endAfterTest, makeFolder, runMain } from '../fixtures/cli/support.js';

const MAIN = join(import.meta.dirname, '../../dist/cli.js');
const node = process.execPath;
/** Sends a request to the model as the CLI does, and prints the status and the answer. */
const ASK = `
const url = process.env.GOOGLE_GEMINI_BASE_URL + '/v1beta/models/m:streamGenerateContent?alt=sse';
const body = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: process.argv[1] }] }] });
const answer = await fetch(url, { method: 'POST', body });
console.log(answer.status, (await answer.text()).includes('kumquat'));
`;
const ask = (prompt: string) => [node, '--input-type=module', '-e', ASK, prompt];

describe('mock', () => {
  it.each([
    ['script.yaml', '- prompt: fruit\n  turns:\n    - text: a kumquat\n'],
    ['rule.yaml', 'prompt: fruit\nturns: [{ text: a kumquat }]\n'],
    ['script.json', '[{"text": "a kumquat"}]'],
    ['script.mjs', 'export const script = [({ prompt }) => ({ text: prompt + ": kumquat" })];'],
  ])('answers a command from %s', async (name, content) => {
    const cwd = makeFolder({ [name]: content });
    const run = await runMain(['mock', name, '--', ...ask('a fruit')], { cwd });
    expect(run).toEqual({
      code: 0,
      stdout: '200 true\n',
      stderr: 'mock: 1 request to the model\n',
    });
  });

  it('names prompts that no rule answers', async () => {
    const cwd = makeFolder({ 's.yaml': '- prompt: fruit\n  turns: [{ text: a kumquat }]\n' });
    const { stdout, stderr } = await runMain(['mock', 's.yaml', '--', ...ask('meat')], { cwd });
    expect(stdout).toBe('400 false\n');
    expect(stderr).toContain('No rule for the prompt: meat');
  });

  it.each([
    ['exit code', ['sh', '-c', 'exit 7'], 7],
    ['missing command', ['/no/such/command'], 127],
    ['file that is no program', ['./s.yaml'], 126],
  ])('passes the %s on', async (_what, command, code) => {
    const cwd = makeFolder({ 's.yaml': '[]' });
    const run = await runMain(['mock', '--quiet', 's.yaml', '--', ...command], { cwd });
    expect(run.code).toBe(code);
  });

  it('passes flags of the command on', async () => {
    const cwd = makeFolder({ 's.yaml': '[]' });
    const { stdout } = await runMain(['mock', 's.yaml', 'echo', '--quiet', '-h'], { cwd });
    expect(stdout).toBe('--quiet -h\n');
  });

  it('forwards SIGTERM, and ends by the signal of the command', async () => {
    const cwd = makeFolder({ 's.yaml': '[]' });
    const command = ['sh', '-c', 'echo ready; exec sleep 60'];
    const child = spawn(node, [MAIN, 'mock', 's.yaml', '--', ...command], { cwd });
    endAfterTest(child.pid ?? 0);
    await once(child.stdout, 'data');
    const said = text(child.stderr);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
    expect(await said).toContain('0 requests');
  });

  it.each([
    ['a: [1', 'The script s.yaml:1 is not YAML'],
    ['text', 'must be a list of rules or turns'],
    ['- promt: x\n  turns: []', 'has the unknown key "promt". Did you mean "prompt"?'],
  ])('refuses a wrong script: %j', async (content, message) => {
    const cwd = makeFolder({ 's.yaml': content });
    const { code, stdout, stderr } = await runMain(['mock', 's.yaml', '--', 'echo', 'x'], { cwd });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });
});
