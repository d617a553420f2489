import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { addRecordCommand } from '../../../src/cli/mock/record.js';
import { runCommandHere } from '../../fixtures/cli/in-process.js';
import { makeFolder } from '../../fixtures/cli/support.js';
import { chat, gemini, record, user } from '../../sessions/list/gemini-home.js';

const [FIRST, SECOND, EMPTY] = ['11111111-aaaa', '22222222-bbbb', '33333333-cccc'];
const USAGE = { prompt: 10, output: 2 };

/** Creates a project with recorded sessions, and returns the folder of the project. */
function recordSessions(makeRecords: (project: string) => Readonly<Record<string, object[]>>) {
  const home = makeFolder();
  const project = join(home, 'app');
  mkdirSync(project);
  const sessions = Object.entries(makeRecords(project)).map(([id, records], index) => {
    const text = record(id, { at: index, prompt: '', records });
    return [`.gemini/${chat(id)}`, text];
  });
  const projects = JSON.stringify({ projects: { [project]: 'app' } });
  const root = makeFolder({ ...Object.fromEntries(sessions), '.gemini/projects.json': projects });
  vi.stubEnv('GEMINI_CLI_HOME', root);
  onTestFinished(() => void vi.unstubAllEnvs());
  return project;
}

function runRecord(...args: string[]) {
  return runCommandHere(addRecordCommand, ['record', ...args]);
}

describe('record', () => {
  it('makes a script of the latest session: prompts, thoughts, texts, calls, token counts', async () => {
    const project = recordSessions((folder) => {
      const thoughts = [{ subject: 'Plan', description: 'write it' }, { description: 'alone' }];
      const args = {
        file_path: join(folder, 'src/a.ts'),
        dir_path: folder,
        paths: [join(folder, 'b'), '/etc/hosts'],
        options: { deep: join(folder, 'c'), count: 3 },
      };
      const toolCalls = [
        { id: 'c', name: 'write_file', args, status: 'success' },
        { id: 'd', name: 'odd', args: 'no object' },
      ];
      const response = { functionResponse: { id: 'c', name: 'write_file', response: {} } };
      return {
        [FIRST]: [user('1', 'not wanted'), gemini('2')],
        [SECOND]: [
          user('1', 'Go'),
          gemini('2', { content: '', thoughts, toolCalls, tokens: { thoughts: 4, cached: 5 } }),
          { id: '3', type: 'user', content: [response] },
          gemini('4', { content: ['Done', { text: '.' }, { inlineData: {} }], tokens: null }),
          { id: '5', type: 'info', content: 'a remark of the CLI' },
          user('6', 'Go on, please'),
          gemini('7', { content: 'More.', tokens: { input: 0 } }),
        ],
      };
    });
    const { stdout } = await runRecord('--cwd', project);
    expect(JSON.parse(stdout)).toEqual([
      { prompt: 'Go on, please', turns: [{ text: 'More.' }] },
      {
        prompt: 'Go',
        turns: [
          {
            thoughts: ['**Plan**\nwrite it', 'alone'],
            toolCalls: [
              {
                name: 'write_file',
                args: {
                  file_path: 'src/a.ts',
                  dir_path: '.',
                  paths: ['b', '/etc/hosts'],
                  options: { deep: 'c', count: 3 },
                },
              },
              { name: 'odd', args: {} },
            ],
            usage: { cached: 5, thoughts: 4 },
          },
          { text: 'Done.' },
        ],
      },
    ]);
  });

  it('writes several sessions to a file; answers to the same prompt follow each other', async () => {
    const project = recordSessions(() => ({
      [FIRST]: [user('1', 'Go'), gemini('2', { content: 'one' })],
      [SECOND]: [user('1', 'Go'), gemini('2', { content: 'two' }), gemini('3', { content: 'end' })],
    }));
    const out = join(project, 'script.json');
    const { stdout, stderr } = await runRecord('1', SECOND, '--cwd', project, '--out', out);
    expect([stdout, stderr]).toEqual(['', `${out}: 1 prompt, 3 answers\n`]);
    const attempts = ['one', 'two'].map((text) => ({ text, usage: USAGE }));
    expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual([
      { prompt: 'Go', turns: [{ attempts }, { text: 'end', usage: USAGE }] },
    ]);
  });

  it('makes paths relative to a project that is named by a link', async () => {
    const project = recordSessions((folder) => {
      const toolCalls = [{ id: 'c', name: 'read_file', args: { file_path: join(folder, 'a') } }];
      return { [FIRST]: [user('1', 'Go'), gemini('2', { toolCalls })] };
    });
    const link = join(makeFolder(), 'link');
    symlinkSync(project, link);
    const { stdout } = await runRecord(FIRST, '--cwd', link);
    expect(JSON.parse(stdout)[0].turns[0].toolCalls[0].args).toEqual({ file_path: 'a' });
  });

  it('is refused for a session without an answer, and for one that is not there', async () => {
    const project = recordSessions(() => ({ [EMPTY]: [user('1', 'Go')] }));
    await expect(runRecord('--cwd', project)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: 'No answer of the model is recorded in latest',
    });
    await expect(runRecord('99999999', '--cwd', project)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: 'There is no session 99999999',
    });
  });
});
