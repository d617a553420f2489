import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRedactor } from '../../src/base/errors/redact.js';
import { keepArtifacts, removeReports } from '../../src/step/artifacts.js';
import { makeFolder } from '../fixtures/cli/support.js';

const SECRET = 'very-secret-value';

describe('the artifacts of a step', () => {
  it('are copied without secrets and readable only by the current user', async () => {
    const directory = makeFolder({ 'stdin.txt': `use ${SECRET}`, 'stdout.ndjson': '{}' });
    const reports = makeFolder({ 'gemini-client-error-1.json': `"${SECRET}"` });
    const keep = join(makeFolder(), 'not/there/yet');
    const folder = await keepArtifacts({
      keep,
      generationId: 'generation-1',
      directory,
      moreFiles: [
        join(reports, 'gemini-client-error-1.json'),
        join(reports, 'announced-only.json'),
      ],
      call: { args: ['--key', SECRET], exitCode: 0 },
      redactor: createRedactor([SECRET]),
    });
    expect(folder).toBe(join(keep, 'generation-1'));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const kept = readdirSync(folder).sort();
    expect(kept).toEqual(['call.json', 'gemini-client-error-1.json', 'stdin.txt', 'stdout.ndjson']);
    for (const name of kept) {
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
      expect(readFileSync(join(folder, name), 'utf8')).not.toContain(SECRET);
    }
    expect(readFileSync(join(folder, 'stdin.txt'), 'utf8')).toBe('use [redacted]');
    expect(JSON.parse(readFileSync(join(folder, 'call.json'), 'utf8'))).toEqual({
      generationId: 'generation-1',
      args: ['--key', '[redacted]'],
      exitCode: 0,
    });
  });

  it('go to the temp folder if no folder was named', async () => {
    const folder = await keepArtifacts({
      keep: true,
      generationId: `unit-${process.pid}`,
      directory: makeFolder({ 'stdin.txt': 'x' }),
      moreFiles: [],
      call: {},
      redactor: createRedactor([]),
    });
    onTestFinished(() => rmSync(folder, { recursive: true }));
    expect(folder).toBe(join(tmpdir(), `gemini-cli-provider-kept-unit-${process.pid}`));
    expect(readdirSync(folder).sort()).toEqual(['call.json', 'stdin.txt']);
  });
});

describe('the reports of the CLI', () => {
  it('are removed, and missing ones are ignored', async () => {
    const folder = makeFolder({ 'a.json': '{}', 'b.json': '{}' });
    await removeReports([join(folder, 'a.json'), join(folder, 'none.json')]);
    expect(existsSync(join(folder, 'a.json'))).toBe(false);
    expect(existsSync(join(folder, 'b.json'))).toBe(true);
  });
});

it('artifacts are not kept after the time of the step, and a pipe is not waited for', async () => {
  const directory = makeFolder({ 'stdin.txt': 'go' });
  execFileSync('mkfifo', [join(directory, 'pipe')]);
  const request = {
    keep: makeFolder(),
    generationId: 'g',
    directory,
    moreFiles: [],
    call: {},
    redactor: createRedactor([]),
  };
  const folder = await keepArtifacts(request);
  expect(readdirSync(folder).sort()).toEqual(['call.json', 'stdin.txt']);
  const late = { ...request, signal: AbortSignal.abort(new Error('late')) };
  await expect(keepArtifacts(late)).rejects.toThrow('late');
});
