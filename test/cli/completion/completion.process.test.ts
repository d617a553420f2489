import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addCommands } from '../../../src/cli/commands.js';
import { FLAG_VALUES } from '../../../src/cli/completion/completion-words.js';
import type { Output } from '../../../src/cli/output/output.js';
import { configSchema } from '../../../src/config/schema.js';
import { runCommandHere } from '../../fixtures/cli/in-process.js';
import { makeFolder, runMain } from '../../fixtures/cli/support.js';

async function writeScript(shell: string): Promise<string> {
  const add = (all: Command, output: Output) => addCommands(all, output, 'completion');
  const { stdout, stderr } = await runCommandHere(add, ['completion', shell]);
  expect(stderr).toBe('');
  return stdout;
}

describe('completion for bash', () => {
  it('knows commands, flags, values and files, for both names, in the real shell', async () => {
    const script = await writeScript('bash');
    const folder = makeFolder({ 'completion.bash': script, 'my plan.yaml': '', 'sub/x': '' });
    const ask = (...words: readonly string[]): string[] => {
      const program = [
        'source completion.bash',
        'COMP_WORDS=("$@")',
        'COMP_CWORD=$(($# - 1))',
        '_gemini_cli_provider',
        `printf "%s\\n" "\${COMPREPLY[@]}"`,
        'complete -p gemstep gemini-cli-provider > /dev/null',
      ].join('\n');
      const args = ['--norc', '-c', program, 'bash', 'gemstep', ...words];
      return execFileSync('bash', args, { cwd: folder, encoding: 'utf8' }).trimEnd().split('\n');
    };
    expect(ask('')).toEqual(expect.arrayContaining(['run', 'batch', 'sessions', 'completion']));
    expect(ask('sessions', 'wa')).toEqual(['watch']);
    expect(ask('run', '--appr')).toEqual(['--approval-mode']);
    expect(ask('run', '--approval-mode', '')).toEqual(['default', 'auto_edit', 'yolo', 'plan']);
    expect(ask('run', '--approval-mode', '=', 'pl')).toEqual(['plan']);
    expect(ask('batch', 'status', '--js')).toEqual(['--json']);
    expect(ask('batch', 'my')).toEqual(['my plan.yaml']);
    expect(ask('run', '--cwd', '')).toEqual(['sub']);
    expect(ask('completion', 'z')).toEqual(['zsh']);
  });
});

describe('completion for other shells', () => {
  it.each([
    [
      'zsh',
      [
        "'run --approval-mode') compadd -- 'default' 'auto_edit' 'yolo' 'plan'; return ;;",
        "'run -C'|'run --cwd') _files -/; return ;;",
        "'run -f'|'run --prompt-file') _files; return ;;",
        "'run --timeout') _message 'value'; return ;;",
        "'--client-files:the agent reads and writes files through this command'",
        "'batch status') at='batch status' ;;",
        'compdef _gemini_cli_provider gemini-cli-provider gemstep',
      ],
    ],
    [
      'fish',
      [
        "-l approval-mode -d 'Approval mode' -x -a 'default auto_edit yolo plan'",
        "complete -c gemstep -n '__fish_seen_subcommand_from run' -s C -l cwd -d",
        " -x -a '(__fish_complete_directories)'",
        "-s f -l prompt-file -d 'File with the prompt, relative to the current folder' -r -F",
        "-n '__fish_seen_subcommand_from batch; and __fish_seen_subcommand_from status'",
      ],
    ],
  ])('has commands, flags and their values for %s', async (shell, parts) => {
    const script = await writeScript(shell);
    expect(parts.filter((part) => !script.includes(part))).toEqual([]);
  });

  it.each([
    ['zsh', "'--extras:Include the CLI'\\''s own context, "],
    ['fish', "-l extras -d 'Include the CLI\\'s own context, "],
  ])('quotes descriptions with an apostrophe for %s', async (shell, part) => {
    expect((await writeScript(shell)).includes(part)).toBe(true);
  });

  it('is refused for a shell that is not known', async () => {
    const { code, stderr } = await runMain(['completion', 'tcsh']);
    expect(code).toBe(2);
    expect(stderr).toContain('bash, zsh, fish');
  });
});

describe('the values of flags', () => {
  it.each(Object.entries(FLAG_VALUES))('are those of the configuration: %s', (key, values) => {
    const accepts = (value: string) => configSchema.safeParse({ [key]: value }).success;
    expect(values.filter((value) => !accepts(value))).toEqual([]);
    expect(accepts('nonsense')).toBe(false);
  });
});

it('the package has both names of the command', async () => {
  const { default: manifest } = await import(join('..', '..', '..', 'package.json'), {
    with: { type: 'json' },
  });
  expect(Object.keys(manifest.bin)).toEqual(['gemini-cli-provider', 'gemstep']);
  const versions = await Promise.all(['-v', '-V', '--version'].map((flag) => runMain([flag])));
  expect(versions.map(({ stdout }) => stdout)).toEqual(
    Array.from({ length: 3 }, () => `${manifest.version}\n`),
  );
});
