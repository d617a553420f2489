import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FLAG_VALUES } from '../../src/cli/completion-words.js';
import { configSchema } from '../../src/config/schema.js';
import { makeFolder, runMain } from '../fixtures/cli/support.js';

async function writeScript(shell: string): Promise<string> {
  const { code, stdout, stderr } = await runMain(['completion', shell]);
  expect([code, stderr]).toEqual([0, '']);
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
    ['zsh', "'run --approval-mode') compadd -- 'default' 'auto_edit' 'yolo' 'plan'; return ;;"],
    ['fish', "-l approval-mode -d 'Approval mode' -x -a 'default auto_edit yolo plan'"],
  ])('has the values of a flag for %s', async (shell, line) => {
    expect(await writeScript(shell)).toContain(line);
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
  const { default: manifest } = await import(join('..', '..', 'package.json'), {
    with: { type: 'json' },
  });
  expect(Object.keys(manifest.bin)).toEqual(['gemini-cli-provider', 'gemstep']);
  const versions = await Promise.all(['-v', '-V', '--version'].map((flag) => runMain([flag])));
  expect(versions.map(({ stdout }) => stdout)).toEqual(
    Array.from({ length: 3 }, () => `${manifest.version}\n`),
  );
});
