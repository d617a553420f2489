import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveStep } from '../../src/agents/resolve-step.js';
import { resolveConfig } from '../../src/config/resolve-config.js';
import { failureOf, makeFolder, program } from '../fixtures/cli/support.js';

const ENVIRONMENT = { PATH: process.env['PATH'], HOME: '/home/me', OTHER: 'x' };

function set(config: Record<string, unknown> = {}, context: Record<string, unknown> = {}) {
  const workingDir = makeFolder({ 'sub/a': '' });
  const cliPath = program('quick.sh');
  const resolved = () => {
    const request = { generationId: randomUUID(), context };
    const values = { workingDir, cliPath, ...config };
    return resolveStep({ ...request, config: resolveConfig(values) }, ENVIRONMENT);
  };
  return { workingDir, resolved };
}

describe('a resolved step', () => {
  it('has absolute paths of all folders, the working directory first', async () => {
    const other = makeFolder();
    const { workingDir, resolved } = set({ includeDirectories: ['sub', other] });
    expect(await resolved()).toMatchObject({
      workingDir,
      includeDirectories: [join(workingDir, 'sub'), other],
      workspaceDirs: [workingDir, join(workingDir, 'sub'), other],
      cli: { version: '0.61.0' },
      geminiHome: '/home/me/.gemini',
    });
  });

  it('has the environment of the CLI, with the variables for trust and sandbox', async () => {
    const { env, generationId } = await set().resolved();
    expect(env).toMatchObject({ HOME: '/home/me', GEMINI_CLI_PROVIDER_TAG: generationId });
    expect(Object.keys(env)).not.toContain('OTHER');
    expect(Object.keys(env)).not.toContain('GEMINI_CLI_TRUST_WORKSPACE');
    const more = await set({
      trustWorkspace: true,
      sandbox: 'podman',
      env: { OTHER: true },
    }).resolved();
    expect(more.env).toMatchObject({
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_SANDBOX: 'podman',
      OTHER: 'x',
    });
    expect(more.generationId).not.toBe(generationId);
  });

  it('adds its id to each line of its log, but not to lines about a process of many steps', async () => {
    const lines: unknown[] = [];
    const note = (fields: object, message: string) => void lines.push({ ...fields, message });
    const logger = { debug: note, info: note, warn: note, error: note };
    const step = await set({ logger }).resolved();
    step.logger.info({ n: 1 }, 'of the step');
    step.processLogger.warn({ n: 2 }, 'of the process');
    expect(lines).toEqual([
      { generationId: step.generationId, n: 1, message: 'of the step' },
      { n: 2, message: 'of the process' },
    ]);
  });

  it('has the home folder that the CLI derives from its environment', async () => {
    const { geminiHome } = await set({ env: { GEMINI_CLI_HOME: '/elsewhere' } }).resolved();
    expect(geminiHome).toBe('/elsewhere/.gemini');
  });

  it('redacts the secrets of the environment in its log', async () => {
    const logged: string[] = [];
    const log = (fields: object, message: string) =>
      void logged.push(JSON.stringify(fields) + message);
    const logger = { debug: log, info: log, warn: log, error: log };
    const { resolved } = set({ env: { MY_TOKEN: 'hush-hush-hush' }, logger });
    (await resolved()).processLogger.info({ said: 'hush-hush-hush' }, 'it is hush-hush-hush');
    expect(logged).toEqual(['{"said":"[redacted]"}it is [redacted]']);
  });

  it('is refused if an included folder is missing from the working directory', async () => {
    const projectRoot = makeFolder();
    const { resolved } = set(
      { includeDirectories: ['none'], workingDir: undefined },
      { projectRoot },
    );
    expect(await failureOf(resolved)).toMatchObject({
      code: 'INVALID_CONFIG',
      problems: [{ key: 'includeDirectories', value: join(projectRoot, 'none') }],
    });
  });
});
