import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { Logger } from '../../src/api/logger.js';
import { createRedactor } from '../../src/base/errors/redact.js';
import { createRedactingLogger } from '../../src/config/logging.js';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
const built = new URL('../../.build/config/logging.js', import.meta.url).href;

/** Runs a program that logs, and returns its stdout and stderr. */
function runProgram(statements: string): { stdout: string; stderr: string } {
  const program = `import * as logging from ${JSON.stringify(built)};\n${statements}`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
}

describe('a redacting logger', () => {
  it.each(LEVELS)('removes secrets from fields and message at level %s', (level) => {
    const seen: unknown[] = [];
    const note = (name: string) => (fields: object, message: string) => {
      seen.push([name, fields, message]);
    };
    const logger: Logger = {
      debug: note('debug'),
      info: note('info'),
      warn: note('warn'),
      error: note('error'),
    };
    const redacting = createRedactingLogger(logger, createRedactor(['planted-secret']));
    redacting[level]({ env: { KEY: 'planted-secret' }, n: 1 }, 'using planted-secret');
    expect(seen).toEqual([[level, { env: { KEY: '[redacted]' }, n: 1 }, 'using [redacted]']]);
  });

  it('has its bindings in each line', () => {
    const seen: unknown[] = [];
    const note = (fields: object) => void seen.push(fields);
    const logger: Logger = { debug: note, info: note, warn: note, error: note };
    const bound = createRedactingLogger(logger, createRedactor([]), { generationId: 'g' });
    for (const level of LEVELS) bound[level]({ n: 1 }, 'x');
    expect(seen).toEqual(LEVELS.map(() => ({ generationId: 'g', n: 1 })));
  });
});

describe('the loggers of this package', () => {
  it('write nothing, or JSON lines to stderr from the given level on', () => {
    const { stdout, stderr } = runProgram(`
      logging.silentLogger.error({ n: 0 }, 'never seen');
      const logger = await logging.createStderrLogger('info');
      logger.debug({ n: 1 }, 'too fine');
      logger.info({ n: 2 }, 'seen');
      logger.error({ n: 3 }, 'seen too');
    `);
    expect(stdout).toBe('');
    const lines = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { n: 2, msg: 'seen' },
      { n: 3, msg: 'seen too' },
    ]);
    expect(lines).toHaveLength(2);
  });
});
