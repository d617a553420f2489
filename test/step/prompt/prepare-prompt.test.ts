import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type PromptRequest, preparePrompt } from '../../../src/step/prompt/prepare-prompt.js';
import { failureOf, makeFolder } from '../../fixtures/cli/support.js';

function open(more: Partial<PromptRequest> = {}) {
  const workspace = makeFolder({
    'note.md': 'note',
    'prompts/one.md': 'Read @note.md\r\n',
    'system.md': 'You are a parrot.',
  });
  const directory = makeFolder();
  const request: PromptRequest = {
    prompt: more.promptFile === undefined ? 'Do it.' : '',
    promptFile: undefined,
    delivery: 'auto',
    expandAt: false,
    systemPrompt: undefined,
    inSandbox: false,
    workingDir: workspace,
    workspaceDirs: [workspace],
    geminiHome: join(directory, '.gemini'),
    privateFile: (name) => join(directory, name),
    ...more,
  };
  return { workspace, directory, prepare: () => preparePrompt(request) };
}

describe('a prompt for stdin', () => {
  it.each(['auto', 'stdin'] as const)('stays unchanged (%s)', async (delivery) => {
    expect(await open({ delivery }).prepare()).toEqual({
      text: 'Do it.',
      warnings: [],
      moreDirectories: [],
      systemPromptFile: undefined,
    });
  });

  it('is protected against the CLI, with warnings', async () => {
    const { text, warnings } = await open({ prompt: '/see @note.md' }).prepare();
    expect(text).toBe('\n/see \\@note.md');
    expect(warnings.map(({ code }) => code)).toEqual(['PROMPT_CHANGED', 'PROMPT_CHANGED']);
  });

  it('is left to the CLI with expandAt', async () => {
    const prompt = '/see @note.md';
    expect(await open({ prompt, expandAt: true }).prepare()).toMatchObject({
      text: prompt,
      warnings: [],
    });
  });

  it('is read from a file, whose path is relative to the working directory', async () => {
    const { prepare, workspace } = open({ promptFile: 'prompts/one.md', prompt: '' });
    expect((await prepare()).text).toBe('Read \\@note.md\r\n');
    const promptFile = join(workspace, 'prompts/one.md');
    expect((await open({ promptFile }).prepare()).text).toBe('Read \\@note.md\r\n');
  });

  it.each([
    [{ prompt: ' ' }, 'The prompt is empty'],
    [{ prompt: ' ', expandAt: true }, 'The prompt is empty'],
    [{ promptFile: 'none.md' }, 'none.md does not exist'],
    [{ prompt: 'x'.repeat(131_072), inSandbox: true }, 'in a sandbox'],
    // The added backslashes count for the limit.
    [{ prompt: `-${'x'.repeat(131_070)}`, inSandbox: true }, '131072 bytes'],
    [{ prompt: '', delivery: 'file' }, 'prompt.md is empty'],
    [{ prompt: undefined }, 'must be a string, not undefined'],
    [{ prompt: null, systemPrompt: { mode: 'prepend', text: 'S' } }, 'a string, not null'],
    [{ prompt: { a: 1 }, delivery: 'file' }, 'must be a string, not object'],
    [{ prompt: 7, promptFile: 'prompts/one.md' }, 'must be a string, not number'],
  ] as const)('%j is refused', async (more, message) => {
    expect(await failureOf(open(more).prepare)).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(message),
    });
  });

  it.each([undefined, null, ''])('may be %j if there is a prompt file', async (prompt) => {
    const { text } = await open({ prompt, promptFile: 'note.md' }).prepare();
    expect(text).toBe('note');
  });

  it.each(['headless', 'file'])(
    'is refused beside a prompt file with another text (%s)',
    async (how) => {
      const delivery = how === 'file' ? 'file' : 'auto';
      for (const prompt of ['other', 'note and more', 'n']) {
        expect(
          await failureOf(open({ prompt, promptFile: 'note.md', delivery }).prepare),
        ).toMatchObject({
          code: 'INVALID_INPUT',
          message: expect.stringMatching(
            /a prompt and the prompt file .*note\.md, and their texts differ/,
          ),
          hint: expect.stringContaining('context.promptFile'),
        });
      }
    },
  );

  it('may be the text of the prompt file, as engines pass both', async () => {
    expect((await open({ prompt: 'note', promptFile: 'note.md' }).prepare()).text).toBe('note');
  });

  it('is not prepared after a cancel', async () => {
    const signal = AbortSignal.abort('enough');
    await expect(open({ signal }).prepare()).rejects.toBe('enough');
  });

  it('gets a newline before a dash only in a sandbox', async () => {
    expect((await open({ prompt: '-x', inSandbox: true }).prepare()).text).toBe('\n-x');
    expect((await open({ prompt: '-x' }).prepare()).text).toBe('-x');
  });
});

describe('a prompt that the model is to read from a file', () => {
  it('is written to a private file, whose folder is added to the workspace', async () => {
    const { prepare, directory } = open({ delivery: 'file', prompt: 'Do @note.md.' });
    const path = join(directory, 'prompt.md');
    expect(await prepare()).toMatchObject({
      text: `Process the prompt in ${path}`,
      moreDirectories: [directory],
    });
    expect(readFileSync(path, 'utf8')).toBe('Do @note.md.');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('may be longer than the limit of the CLI for stdin', async () => {
    const { prepare } = open({ delivery: 'file', prompt: 'x'.repeat(9 * 1024 * 1024) });
    expect((await prepare()).text).toContain('Process the prompt in');
  });

  it.each(['vast.md', '@scope/vast.md'])(
    'may be longer than that limit in a file of the caller (%s)',
    async (promptFile) => {
      const workspace = makeFolder({ [promptFile]: 'x'.repeat(9 * 1024 * 1024) });
      const workspaceDirs = [workspace];
      const { prepare } = open({
        delivery: 'file',
        promptFile,
        workingDir: workspace,
        workspaceDirs,
      });
      expect((await prepare()).text).toContain('Process the prompt in');
    },
  );

  it('stays in its file if it has one', async () => {
    const inside = open({ delivery: 'file', promptFile: 'prompts/one.md' });
    expect(await inside.prepare()).toMatchObject({
      text: `Process the prompt in ${join(inside.workspace, 'prompts/one.md')}`,
      moreDirectories: [],
    });
    const outside = makeFolder({ 'far.md': 'far' });
    const far = open({ delivery: 'file', promptFile: join(outside, 'far.md') });
    expect((await far.prepare()).moreDirectories).toEqual([outside]);
  });
});

describe('a prompt file with an @ in its path', () => {
  it.each([false, true])(
    'is read from a copy without an @ in its path (expandAt: %j)',
    async (expandAt) => {
      const workspace = makeFolder({ '@scope/p.md': '\ufeffDo @it.\r\n' });
      const { prepare, directory } = open({
        delivery: 'file',
        promptFile: '@scope/p.md',
        workingDir: workspace,
        workspaceDirs: [workspace],
        expandAt,
      });
      const copy = join(directory, 'prompt.md');
      expect(await prepare()).toMatchObject({
        text: `Process the prompt in ${copy}`,
        warnings: [],
        moreDirectories: [directory],
      });
      expect(readFileSync(copy, 'utf8')).toBe('\ufeffDo @it.\r\n');
      expect(statSync(copy).mode & 0o777).toBe(0o600);
    },
  );

  it('is refused under its own name if it is no text', async () => {
    const promptFile = join(makeFolder({ '@scope/blank.md': ' ' }), '@scope/blank.md');
    expect(await failureOf(open({ delivery: 'file', promptFile }).prepare)).toMatchObject({
      code: 'INVALID_INPUT',
      message: `Prompt file ${promptFile} is empty`,
    });
  });
});

describe('a prompt that is sent as a message', () => {
  const protectMessage = (text: string) => ({ text, warnings: [] });

  it('may be longer than the limit of the CLI for stdin', async () => {
    const promptFile = join(makeFolder({ 'far.md': 'x'.repeat(9 * 1024 * 1024) }), 'far.md');
    const { text } = await open({ promptFile, protectMessage }).prepare();
    expect(text).toHaveLength(9 * 1024 * 1024);
  });

  it('is left in its file only if the file is in the workspace, whatever its name', async () => {
    const workspace = makeFolder({ '@scope/p.md': 'near' });
    const near = open({
      delivery: 'file',
      promptFile: '@scope/p.md',
      workingDir: workspace,
      workspaceDirs: [workspace],
      protectMessage,
    });
    expect(await near.prepare()).toMatchObject({
      text: `Process the prompt in ${join(workspace, '@scope/p.md')}`,
      moreDirectories: [],
    });
    const promptFile = join(makeFolder({ 'far.md': 'far' }), 'far.md');
    const far = open({ delivery: 'file', promptFile, protectMessage });
    expect(await far.prepare()).toMatchObject({ text: 'far', moreDirectories: [] });
    expect((await open({ delivery: 'file', protectMessage }).prepare()).text).toBe('Do it.');
  });
});

describe('a prompt file in a folder with a comma in its path', () => {
  it('cannot be left to the model, unless the folder is in the workspace', async () => {
    const promptFile = join(makeFolder({ 'a, b/far.md': 'far' }), 'a, b/far.md');
    expect(await failureOf(open({ delivery: 'file', promptFile }).prepare)).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('a comma in its path'),
      hint: expect.stringContaining('stdin'),
    });
    expect((await open({ promptFile }).prepare()).text).toBe('far');
    const workspaceDirs = [dirname(promptFile)];
    const seen = await open({ delivery: 'file', promptFile, workspaceDirs }).prepare();
    expect(seen.moreDirectories).toEqual([]);
  });
});

describe('a system prompt', () => {
  it.each([
    ['text', { mode: 'prepend', text: 'You are a crow.' }, 'You are a crow.\n\nDo it.'],
    ['file', { mode: 'prepend', file: 'system.md' }, 'You are a parrot.\n\nDo it.'],
  ] as const)('is put before the prompt (%s)', async (_what, systemPrompt, expected) => {
    const { text, systemPromptFile } = await open({ systemPrompt }).prepare();
    expect(text).toBe(expected);
    expect(systemPromptFile).toBeUndefined();
  });

  it('is put before the sentence that names the prompt file', async () => {
    const systemPrompt = { mode: 'prepend', text: 'Hush, @note.md!' } as const;
    const { text } = await open({ systemPrompt, delivery: 'file' }).prepare();
    expect(text).toMatch(/^Hush, \\@note\.md!\n\nProcess the prompt in \/.*prompt\.md$/);
  });

  it('replaces that of the CLI by a private file', async () => {
    const systemPrompt = { mode: 'replace', text: 'You are @note.md.' } as const;
    const { text, systemPromptFile = '' } = await open({ systemPrompt }).prepare();
    expect(text).toBe('Do it.');
    expect(readFileSync(systemPromptFile, 'utf8')).toBe('You are @note.md.');
    expect(statSync(systemPromptFile).mode & 0o777).toBe(0o600);
  });

  it('replaces that of the CLI by the named file', async () => {
    const systemPrompt = { mode: 'replace', file: 'system.md' } as const;
    const { prepare, workspace } = open({ systemPrompt });
    expect((await prepare()).systemPromptFile).toBe(join(workspace, 'system.md'));
  });

  it.each(['replace', 'prepend'] as const)('must be a regular file (%s)', async (mode) => {
    const { prepare } = open({ systemPrompt: { mode, file: '/dev/zero' } });
    expect(await failureOf(prepare)).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'System prompt file /dev/zero is not a regular file',
    });
  });

  it.each(['replace', 'prepend'] as const)('must exist (%s)', async (mode) => {
    const { prepare, workspace } = open({ systemPrompt: { mode, file: 'none.md' } });
    expect(await failureOf(prepare)).toMatchObject({
      code: 'INVALID_INPUT',
      message: `System prompt file ${join(workspace, 'none.md')} does not exist`,
    });
  });
});
