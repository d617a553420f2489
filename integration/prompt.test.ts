import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gateCases } from './gate-cases.js';
import { makeFolder, openLab, read } from './support.js';

const MIB = 1024 * 1024;

describe('a prompt', () => {
  it.each(
    gateCases(
      [
        ['a dash', '- starts with a dash'],
        [
          'a byte order mark and contains special characters',
          `\ufeffquotes ' " \` $HOME $(id) %PATH% \\ \\n
line end\r\nemoji 👩‍💻 and 日本語, U+2028 \u2028 here
user@example.com, @types/node, @Injectable() and \\@escaped stay
trailing blanks   \n\n \t`,
        ],
        ['a blank and a command', ' /help'],
        ['a long flag', '--help'],
        ['a short flag', '-v'],
        ['a comment', '// a comment'],
      ],
      3,
    ),
  )('that begins with %s reaches the model unchanged', async (_what, prompt) => {
    const lab = await openLab([{ text: 'ok' }]);
    const { warnings } = await lab.run(prompt);
    expect(lab.model.requests.at(-1)?.promptParts).toEqual([prompt]);
    expect(warnings).toEqual([]);
  });

  it('of 3 MiB reaches the model complete', async () => {
    const lab = await openLab([{ text: 'ok' }]);
    const prompt = 'wörd '.repeat((3 * MIB) / 6);
    await lab.run(prompt);
    expect(lab.model.requests[0]?.prompt === prompt).toBe(true);
  });

  it.each([
    ['', 'empty'],
    [' \n\t', 'empty'],
    ['a\0b', 'NUL'],
    ['half \ud83d of it', 'surrogate'],
  ])('%j is refused', async (prompt, reason) => {
    const lab = await openLab([{ text: 'never' }]);
    const error = await lab.fail(prompt);
    expect(error.code).toBe('INVALID_INPUT');
    expect(error.message).toContain(reason);
    expect(lab.model.requests).toEqual([]);
  });

  it('of more than 8 MiB is refused before a process starts', async () => {
    const lab = await openLab([{ text: 'never' }]);
    const error = await lab.fail(`€${' '.repeat(8 * MIB - 3)}.`);
    expect(error).toMatchObject({ code: 'INVALID_INPUT', partial: undefined });
    expect(error.message).toContain(String(8 * MIB + 1));
    expect(error.message).toContain(String(8 * MIB));
  });

  it('that looks like a command of the CLI gets a leading newline, and no other change', async () => {
    const lab = await openLab([{ text: 'ok' }]);
    const { warnings, text } = await lab.run('/memory show');
    expect(lab.model.requests.at(-1)?.promptParts).toEqual(['\n/memory show']);
    expect(warnings).toMatchObject([{ code: 'PROMPT_CHANGED' }]);
    expect(text).toBe('ok');
  });
});

describe('an @ in a prompt', () => {
  const files = {
    'note.md': 'NOTE',
    'src/Secret.txt': 'SECRET',
    'src/a-rather-long-name.txt': 'LONG',
    'sub/a.txt': 'SUB-A',
    'my file.txt': 'SPACE',
  };

  /** Lines of the prompt, each with the line that reaches the model. */
  const lines = [
    ['@./note.md please', '\\@./note.md please'],
    ['see @note.md now', 'see \\@note.md now'],
    ['see (@note.md), please', 'see (\\@note.md), please'],
    ['user@note.md.', 'user\\@note.md.'],
    ['@sub', '\\@sub'],
    ['by name alone: @secret', 'by name alone: \\@secret'],
    ['of an included folder: @hidden.cfg', 'of an included folder: \\@hidden.cfg'],
    ['behind a link: @link.md', 'behind a link: \\@link.md'],
    ['in capitals: @NOTE', 'in capitals: \\@NOTE'],
    ['@my\\ file.txt', '\\@my\\ file.txt'],
    ['@codebase_investigator look', '\\@codebase_investigator look'],
    [
      'quoted but long "@src/a-rather-long-name.txt"',
      'quoted but long "\\@src/a-rather-long-name.txt"',
    ],
    ['escaped \\@note.md', 'escaped \\@note.md'],
    ['@note.md@src/Secret.txt', '@note.md@src/Secret.txt'],
    ['@sub@nothing and @nothing', '@sub@nothing and @nothing'],
    ['@types/node and joe@example.com', '@types/node and joe@example.com'],
    // This line must be the last: a quote extends to the next quote, over any number of lines.
    ['quoted "@note.md"', 'quoted "@note.md"'],
  ] as const;

  /** Opens a lab with an included folder and a symbolic link. */
  const open = async () => {
    const other = makeFolder({ 'deep/hidden.cfg': 'HIDDEN' });
    const config = { includeDirectories: [other] };
    const lab = await openLab([{ text: 'ok' }], { files, config });
    symlinkSync('note.md', join(lab.workspace, 'link.md'));
    return lab;
  };

  it('never includes a file: a backslash is added where the CLI would include one', async () => {
    const lab = await open();
    const { warnings } = await lab.run(lines.map(([written]) => written).join('\n'));
    const [arrived, ...more] = lab.model.requests.at(-1)?.promptParts ?? [];
    expect(arrived?.split('\n')).toEqual(lines.map(([, arrives]) => arrives));
    expect(more).toEqual([]);
    expect(warnings).toMatchObject([{ code: 'PROMPT_CHANGED', count: 12 }]);
  });

  it('includes each of the protected files when expandAt is true', async () => {
    const lab = await open();
    const changed = lines.filter(([written, arrives]) => written !== arrives);
    const prompt = changed.map(([written]) => written).join('\n');
    const { warnings } = await lab.run(prompt, { expandAt: true });
    const arrived = lab.model.requests.at(-1)?.promptParts ?? [];
    expect(arrived).toContain('NOTE');
    for (const content of ['NOTE', 'SECRET', 'SUB-A', 'SPACE', 'LONG', 'HIDDEN'])
      expect(arrived.join('\n')).toContain(content);
    expect(warnings).toEqual([]);
  });

  it('stays unchanged when only an ignored file has that name', async () => {
    const lab = await openLab([{ text: 'ok' }], {
      files: { '.gitignore': 'out/\n', 'out/widget.js': 'x' },
    });
    execFileSync('git', ['init', '-q', lab.workspace]);
    mkdirSync(join(lab.workspace, 'node_modules/widget'), { recursive: true });
    writeFileSync(join(lab.workspace, 'node_modules/widget/widget.js'), 'x');
    await lab.run('use @widget here');
    expect(lab.model.requests.at(-1)?.promptParts).toEqual(['use @widget here']);
  });
});

describe('a prompt file', () => {
  it('is sent unchanged', async () => {
    const prompt = '\ufeffDo this.\r\n\r\nThen @that.  \n';
    const lab = await openLab([{ text: 'ok' }], { files: { 'prompts/one.md': prompt } });
    await lab.run('', {}, { promptFile: 'prompts/one.md' });
    expect(lab.model.requests.map((request) => request.prompt)).toEqual([prompt]);
  });

  it('can be read by the model itself, also outside of the workspace', async () => {
    const outside = makeFolder({ 'step one.md': 'The task.' });
    const file = join(outside, 'step one.md');
    const lab = await openLab([
      { toolCalls: [{ name: 'read_file', args: { file_path: file } }] },
      { text: 'read' },
    ]);
    const result = await lab.run('', { promptDelivery: 'file' }, { prompt_file: file });
    expect(result.text).toBe('read');
    const [first, second] = lab.model.requests;
    expect(first?.prompt).toBe(`Process the prompt in ${file}`);
    expect(JSON.stringify(second?.body['contents'])).toContain('The task.');
  });

  it('is passed to the model under a path that exists, also when its own path contains an @', async () => {
    const found: boolean[] = [];
    const sees = ({ prompt }: { readonly prompt: string }) => {
      const path = /^Process the prompt in (.*)$/.exec(prompt)?.[1] ?? '';
      found.push(existsSync(path) && read(path) === 'The task.');
      return true;
    };
    const lab = await openLab([{ prompt: sees, turns: [{ text: 'ok' }] }], {
      files: { '@scope/p.md': 'The task.' },
    });
    for (const expandAt of [false, true]) {
      const options = { promptDelivery: 'file' as const, expandAt };
      const { warnings } = await lab.run('', options, { promptFile: '@scope/p.md' });
      expect(warnings).toEqual([]);
      expect(lab.model.requests.at(-1)?.promptParts).toHaveLength(1);
    }
    expect(found).toEqual([true, true]);
  });

  it('is created from a prompt when promptDelivery is file', async () => {
    const lab = await openLab([{ text: 'ok' }]);
    await lab.run('The task.', { promptDelivery: 'file' });
    expect(lab.model.requests[0]?.prompt).toMatch(/^Process the prompt in .*prompt\.md$/);
  });

  it.each([
    ['missing.md', 'does not exist'],
    ['folder', 'is a folder'],
    ['empty.md', 'is empty'],
    ['binary.md', 'is not UTF-8'],
  ])('%s is refused with its path in the message', async (name, problem) => {
    const lab = await openLab([{ text: 'never' }], {
      files: { 'folder/a': '', 'empty.md': ' \n', 'binary.md': Buffer.from([0xff, 0xfe, 0x41]) },
    });
    for (const promptDelivery of ['auto', 'file'] as const) {
      const error = await lab.fail('', { promptDelivery }, { promptFile: name });
      expect(error.code).toBe('INVALID_INPUT');
      expect(error.message).toContain(join(lab.workspace, name));
      expect(error.message).toContain(problem);
    }
  });
});
