import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createGeminiLaunch } from '../../../src/agents/acp/gemini-launch.js';
import { createPrivateDirectory } from '../../../src/base/process/private-directory.js';
import { closeIdleReaper } from '../../../src/base/process/reaper.js';
import { resolveConfig } from '../../../src/config/resolve-config.js';
import { addFiles, makeFolder } from '../../fixtures/cli/support.js';
import { record } from '../../sessions/list/gemini-home.js';

afterAll(closeIdleReaper);

const LAUNCH = {
  cli: { path: 'gemini', foundIn: 'cliPath', script: undefined, command: 'gemini', args: [] },
  cliVersion: '0.61.0',
  config: resolveConfig({ transport: 'acp' }),
  includeDirectories: [],
  workingDir: '/work',
  env: {},
  systemPrompt: undefined,
};

it('the project that the CLI makes of its private folder is gone after the process', async () => {
  const geminiHome = makeFolder();
  const directory = await createPrivateDirectory();
  const { cwd } = await createGeminiLaunch({ ...LAUNCH, geminiHome }).build(directory, 'one');
  expect(cwd).toBe(directory.path);
  addFiles(geminiHome, {
    'projects.json': JSON.stringify({ projects: { '/else': 'else', [cwd]: 'private' } }),
    'tmp/private/.project_root': cwd,
    'tmp/private/chats/session-2026-11-16T00-00-11111111.jsonl': record('11111111', { prompt: '' }),
    'history/private/.project_root': cwd,
  });
  mkdirSync(join(geminiHome, 'tmp/private/logs'));
  await directory.remove();
  expect(readdirSync(join(geminiHome, 'tmp'))).toEqual([]);
  expect(readdirSync(join(geminiHome, 'history'))).toEqual([]);
  const { projects } = JSON.parse(readFileSync(join(geminiHome, 'projects.json'), 'utf8'));
  expect(projects).toEqual({ '/else': 'else' });
});

it('a process starts although nothing can be written into the home of the CLI', async () => {
  const geminiHome = join(makeFolder(), 'file');
  writeFileSync(geminiHome, '');
  const directory = await createPrivateDirectory();
  const launch = createGeminiLaunch({ ...LAUNCH, geminiHome });
  expect(await launch.build(directory, 'one')).toMatchObject({ cwd: directory.path });
  await directory.remove();
});
