import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkDesk, type RemoteSurroundings } from '../../../src/remote/doctor/check-desk.js';
import { EXTENSION_NAME } from '../../../src/remote/hooks/extension-files.js';

/** A home of the CLI in which remote control works. */
function makeSurroundings(changes: Partial<RemoteSurroundings> = {}): RemoteSurroundings {
  const root = mkdtempSync(join(tmpdir(), 'check-remote-'));
  const geminiHome = join(root, '.gemini');
  const extension = join(root, 'extension');
  mkdirSync(join(geminiHome, 'extensions', EXTENSION_NAME), { recursive: true });
  mkdirSync(extension);
  writeFileSync(join(extension, 'bridge.sh'), '');
  const installed = { source: extension, type: 'link' };
  writeFileSync(
    join(geminiHome, 'extensions', EXTENSION_NAME, '.gemini-extension-install.json'),
    JSON.stringify(installed),
  );
  return {
    geminiHome,
    workingDir: join(root, 'work'),
    env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    folder: root,
    folderProblem: undefined,
    install: 'npx gemini-cli-provider remote install',
    tmuxProblem: undefined,
    cliVersion: '0.61.3',
    address: '127.0.0.1',
    ...changes,
  };
}

const notesOf = (surroundings: RemoteSurroundings): string[] =>
  checkDesk(surroundings).flatMap(({ status, check, fix }) =>
    status === 'note' && fix !== undefined ? [check] : [],
  );

describe('checkDesk', () => {
  it('has nothing to say where all is well, and no check is a problem for a step', () => {
    expect(checkDesk(makeSurroundings()).map(({ status }) => status)).toEqual(
      Array.from({ length: 10 }, () => 'ok'),
    );
  });

  it.each([
    ['tmux', { tmuxProblem: 'tmux is not installed' }],
    ['screens', { cliVersion: '0.70.0' }],
    ['state folder', { folderProblem: 'is writable by other users' }],
    ['hooks', { folder: '/another/folder' }],
    ['bind address', { address: '0.0.0.0' }],
    ['desk trust', { env: { GEMINI_CLI_TRUST_WORKSPACE: 'false' } }],
  ])('says what to do about %s', (name, changes) => {
    expect(notesOf(makeSurroundings(changes))).toEqual([`remote: ${name}`]);
  });

  it.each([
    ['hooks setting', { hooksConfig: { enabled: false } }],
    ['window title', { ui: { hideWindowTitle: true } }],
    ['window title', { ui: { dynamicWindowTitle: false } }],
    ['vim mode', { general: { vimMode: true } }],
  ])('says what to do about the settings: %s', (name, settings) => {
    const surroundings = makeSurroundings();
    writeFileSync(join(surroundings.geminiHome, 'settings.json'), JSON.stringify(settings));
    expect(notesOf(surroundings)).toEqual([`remote: ${name}`]);
  });

  it('finds key bindings, and an extension that is disabled in this folder', () => {
    const surroundings = makeSurroundings();
    writeFileSync(join(surroundings.geminiHome, 'keybindings.json'), '[]');
    const overrides = ['/*', `!${surroundings.workingDir}/*`];
    writeFileSync(
      join(surroundings.geminiHome, 'extensions', 'extension-enablement.json'),
      JSON.stringify({ [EXTENSION_NAME]: { overrides } }),
    );
    expect(notesOf(surroundings)).toEqual(['remote: hooks', 'remote: key bindings']);
  });
});
