import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { addMockCommand } from '../../../src/cli/mock/mock.js';
import { runCommandHere } from '../../fixtures/cli/in-process.js';
import { endAfterTest, makeFolder, runMain } from '../../fixtures/cli/support.js';

const MAIN = join(import.meta.dirname, '../../../dist/cli.js');
const node = process.execPath;
/** Sends a request to the model as the CLI does, and writes the status and the answer to the file `answer`. */
const ASK = `
const [, prompt, folder] = process.argv;
const url = process.env.GOOGLE_GEMINI_BASE_URL + '/v1beta/models/m:streamGenerateContent?alt=sse';
const body = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: prompt }] }] });
const answer = await fetch(url, { method: 'POST', body });
const { writeFileSync } = await import('node:fs');
writeFileSync(folder + '/answer', answer.status + ' ' + (await answer.text()).includes('kumquat'));
`;

function mock(...args: readonly string[]) {
  return runCommandHere(addMockCommand, ['mock', ...args]);
}

describe('mock', () => {
  it.each([
    ['script.yaml', '- prompt: fruit\n  turns:\n    - text: a kumquat\n'],
    ['rule.yaml', 'prompt: fruit\nturns: [{ text: a kumquat }]\n'],
    ['script.json', '[{"text": "a kumquat"}]'],
    ['script.mjs', 'export const script = [({ prompt }) => ({ text: prompt + ": kumquat" })];'],
    ['default.mjs', 'export default [{ text: "kumquat" }];'],
  ])('answers a command from %s', async (name, content) => {
    const folder = makeFolder({ [name]: content });
    const ask = [node, '--input-type=module', '-e', ASK, 'a fruit', folder];
    const { code, stdout, stderr } = await mock(join(folder, name), '--', ...ask);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '',
      stderr: 'mock: 1 request to the model\n',
    });
    expect(readFileSync(join(folder, 'answer'), 'utf8')).toBe('200 true');
  });

  it('names prompts that no rule answers', async () => {
    const folder = makeFolder({ 's.yaml': '- prompt: fruit\n  turns: [{ text: a kumquat }]\n' });
    const ask = [node, '--input-type=module', '-e', ASK, 'me\u001b[2Jat', folder];
    const { stderr } = await mock(join(folder, 's.yaml'), '--', ...ask);
    expect(readFileSync(join(folder, 'answer'), 'utf8')).toBe('400 false');
    expect(stderr).toBe('mock: 1 request to the model\n  No rule for the prompt: meat\n');
  });

  it.each([
    ['exit code', ['sh', '-c', 'exit 7'], 7, ''],
    ['missing command', ['/no/such/command'], 127, '/no/such/command cannot be started: ENOENT\n'],
    ['file that is no program', ['./LICENSE'], 126, './LICENSE cannot be started: EACCES\n'],
  ])('passes the %s on', async (_what, command, code, message) => {
    const file = join(makeFolder({ 's.yaml': '[]' }), 's.yaml');
    expect(await mock('--quiet', file, '--', ...command)).toEqual({
      code,
      stdout: '',
      stderr: message,
    });
  });

  it('passes flags of the command on', async () => {
    const cwd = makeFolder({ 's.yaml': '[]' });
    const { stdout, stderr } = await runMain(['mock', 's.yaml', 'echo', '--quiet', '-h'], { cwd });
    expect(stdout).toBe('--quiet -h\n');
    expect(stderr).toBe('mock: 0 requests to the model\n');
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

  it('needs a command', async () => {
    const file = join(makeFolder({ 's.yaml': '[]' }), 's.yaml');
    expect((await mock(file)).stderr).toContain("missing required argument 'command'");
    expect((await mock(file, '--')).stderr).toContain('give a command after --');
  });
});

describe('a wrong script', () => {
  it.each([
    ['s.yaml', 'a: [1', 's.yaml:1 is not YAML'],
    ['s.yaml', 'text', 'must be a list of rules or turns'],
    ['s.yaml', '- promt: x\n  turns: []', 'has the unknown key "promt". Did you mean "prompt"?'],
    ['s.mjs', 'export const scripts = [];', 'must be a list of rules or turns'],
    ['s.mjs', 'export const script = ;', 'cannot be imported: '],
    ['s.mjs', 'throw new Error("broken");', 'cannot be imported: broken'],
  ])('is refused before the command starts: %s %j', async (name, content, message) => {
    const folder = makeFolder({ [name]: content });
    const command = ['touch', join(folder, 'started')];
    await expect(mock(join(folder, name), '--', ...command)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(message),
    });
    expect(() => readFileSync(join(folder, 'started'))).toThrow('ENOENT');
  });

  it('may be a file that is not there', async () => {
    await expect(mock('/no/such/script.yaml', '--', 'true')).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('The script /no/such/script.yaml'),
    });
  });
});
