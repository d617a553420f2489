import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLab } from './support.js';

/** Ways in which a settings file cannot be used. Each function makes the file. */
const FAULTS: Readonly<Record<string, (path: string) => void>> = {
  'not JSON': (path) => writeFileSync(path, 'X not json'),
  empty: (path) => writeFileSync(path, ''),
  'a list': (path) => writeFileSync(path, '[]'),
  null: (path) => writeFileSync(path, 'null'),
  'a folder': (path) => mkdirSync(path),
  // Even root cannot read the memory of a process at the address 0.
  unreadable: (path) => symlinkSync('/proc/self/mem', path),
  'a FIFO': (path) => void execFileSync('sh', ['-c', 'mkfifo "$0"', path]),
};

describe.concurrent('settings that cannot be read (claim: settings-are-cli-config)', () => {
  it.for(['headless', 'acp'] as const)('are CLI_CONFIG over %s', async (transport, context) => {
    const lab = await openLab([{ text: 'never' }], {
      config: { transport },
      cleanup: context.onTestFinished,
    });
    const verdictsOn = async (path: string, faults: readonly string[]) => {
      const verdicts: string[] = [];
      mkdirSync(dirname(path), { recursive: true });
      for (const fault of faults) {
        rmSync(path, { recursive: true, force: true });
        FAULTS[fault]?.(path);
        const { code, retryable } = await lab.fail();
        verdicts.push(`${fault}: ${code}${retryable ? ', retryable' : ''}`);
      }
      rmSync(path, { recursive: true, force: true });
      return verdicts;
    };
    const faults = Object.keys(FAULTS);
    const inWorkspace = await verdictsOn(join(lab.workspace, '.gemini', 'settings.json'), faults);
    expect(inWorkspace).toEqual(faults.map((fault) => `${fault}: CLI_CONFIG`));
    const ofUser = await verdictsOn(join(lab.home, '.gemini', 'settings.json'), SOME);
    expect(ofUser).toEqual(SOME.map((fault) => `${fault}: CLI_CONFIG`));
    expect(lab.model.requests).toEqual([]);
  });
});

/** Faults of the user's own file, which the CLI reads in the same way. */
const SOME = ['not JSON', 'a FIFO'];
