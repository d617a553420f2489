import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findEndingSignal, signalGroup } from '../../../src/base/process/own-session.js';

const SOURCE = join(import.meta.dirname, '../../../src');
/** Programs of the person, which belong to the terminal: `mock -- COMMAND` and `remote attach`. */
const ATTACHED = join('base', 'process', 'run-attached.ts');

it('every process is started in a session of its own', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' });
  const starts = files
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const text = readFileSync(join(SOURCE, name), 'utf8');
      expect(text, name).not.toMatch(/^import \{.*'node:child_process'/m);
      return [...text.matchAll(/\b(?:execa|spawn)\([^;]*?\{([^;]*?)\}\)+;/g)].map(([start]) => ({
        name,
        start,
      }));
    });
  expect(starts.length).toBeGreaterThan(5);
  for (const { name, start } of starts)
    if (name !== ATTACHED) expect(start, name).toMatch(/\.\.\.(OWN|NEW)_SESSION/);
});

it.each([
  [{ signal: 'SIGINT' }, 'SIGINT'],
  [{ signal: 'SIGHUP' }, 'SIGHUP'],
  [{ exitCode: 143 }, 'SIGTERM'],
  [{ exitCode: 130 }, 'SIGINT'],
  [{ exitCode: 129 }, 'SIGHUP'],
  [{ signal: 'SIGSEGV' }, undefined],
  [{ exitCode: 128 }, undefined],
  [{ exitCode: 1 }, undefined],
  [{}, undefined],
])('%j was ended from outside by %s', (exit, signal) => {
  expect(findEndingSignal(exit)).toBe(signal);
});

it('ignores a group that has ended, and a process that was not started', () => {
  expect(() => signalGroup(undefined, 'SIGTERM')).not.toThrow();
  expect(() => signalGroup(4_194_303, 'SIGTERM')).not.toThrow();
});
