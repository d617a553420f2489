import { describe, expect, it } from 'vitest';
import { describeResumeCommand } from '../../../src/cli/batch/resume-command.js';
import { createOutput } from '../../../src/cli/output/output.js';
import { hideCommandLine, hideCredentials } from '../../../src/cli/queue/hide-credentials.js';

describe('hideCredentials', () => {
  it.each([
    ['postgres://user:s3cret@host/db', 'postgres://user:…@host/db'],
    ['redis://:s3cret@host:6379', 'redis://:…@host:6379'],
    ['--queue=rediss://u:s3c:r@t@host', '--queue=rediss://u:…@host'],
    ['postgres://host/db?user=u&password=s3cret&x=1', 'postgres://host/db?user=u&password=…&x=1'],
    ['postgres://user@host/db', 'postgres://user@host/db'],
    ['embedded', 'embedded'],
    ['fix a:b@c', 'fix a:b@c'],
  ])('hides the password of %s', (text, shown) => {
    expect(hideCredentials(text)).toBe(shown);
  });
});

describe('hideCommandLine', () => {
  it('removes the password from the title of the process, and warns with the remedy', async () => {
    const written: string[] = [];
    const output = createOutput({});
    const stderr = { ...output.stderr, write: async (text: string) => void written.push(text) };
    const target = { title: 'node' };
    const argv = ['worker', '--queue', 'postgres://user:s3cret@host/db'];
    await hideCommandLine(argv, { ...output, stderr }, target);
    expect(target.title).toBe('gemini-cli-provider worker --queue postgres://user:…@host/db');
    expect(written.join('')).toMatch(/GEMINI_CLI_PROVIDER_QUEUE.*PGPASSWORD/);
    expect(written.join('')).not.toContain('s3cret');
  });

  it('names no remedy of a queue for the password of another address', async () => {
    const written: string[] = [];
    const output = createOutput({});
    const stderr = { ...output.stderr, write: async (text: string) => void written.push(text) };
    const argv = ['run', 'x', '--queue', 'env', '--otlp', 'https://user:s3cret@host'];
    await hideCommandLine(argv, { ...output, stderr }, { title: 'node' });
    expect(written.join('')).toContain('The password in a URL was on the command line');
    expect(written.join('')).not.toMatch(/QUEUE|s3cret/);
  });

  it('leaves a command line without a password alone', async () => {
    const target = { title: 'node' };
    const output = createOutput({});
    const stderr = { ...output.stderr, write: async () => expect.unreachable() };
    await hideCommandLine(['run', 'x', '--queue', 'env'], { ...output, stderr }, target);
    expect(target.title).toBe('node');
  });
});

it('the command that resumes a batch has no password', () => {
  const command = describeResumeCommand(['batch', 'p.yaml', '--queue', 'redis://:s3cret@h']);
  expect(command).toBe("gemini-cli-provider batch p.yaml --queue 'redis://:…@h'");
});
