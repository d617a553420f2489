import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseScreen } from '../../../src/remote/tmux/parse-screen.js';

const PANES = new URL('../../fixtures/interactive/panes/', import.meta.url);
const names = readdirSync(PANES).flatMap((folder) =>
  readdirSync(new URL(`${folder}/`, PANES)).map((file) => `${folder}/${file.replace('.txt', '')}`),
);
/** Recordings with several frames: the last one counts. */
const read = (name: string) =>
  parseScreen(
    readFileSync(new URL(`${name}.txt`, PANES), 'utf8')
      .split(/^--- \+\d+ ms ---$/m)
      .at(-1) ?? '',
  );

const CALL = ['Allow once', 'Allow for this session', 'No, suggest changes (esc)'];
const EDIT = CALL.toSpliced(2, 0, 'Modify with external editor');
const LOGIN = ['Sign in with Google', 'Use Gemini API Key', 'Vertex AI'];
const TRUST = ['Trust folder (workspace)', 'Trust parent folder (parent)', "Don't trust"];
/** Options of all dialogs that are not those of a call. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  'dialog/write_file': EDIT,
  'dialog/write_file-300-lines': EDIT,
  'dialog/replace': EDIT,
  'dialog/no-always-option': ['Allow once', 'No, suggest changes (esc)'],
  'dialog/permanent-approval-option': CALL.toSpliced(
    2,
    0,
    'Allow this command for all future sessions ~/.gemini/policies/auto-saved.toml',
  ),
  'dialog/ask_user-choice': ['Red', 'Blue', 'Enter a custom value'],
  'dialog/ask_user-multi': ['Red', 'Blue', 'All of the above'],
  'dialog/ask_user-yesno': ['Yes', 'No', 'Enter a custom value'],
  'dialog/ask_user-text': [],
  'dialog/hooks-list': [],
  'dialog/model': ['Auto', 'Manual'],
  'dialog/quota': ['Keep trying', 'Stop'],
  'dialog/rewind-after-esc-esc': [],
  'layout/tiny.dialog': ['Allow once', 'Allow for this sessi…', 'No, suggest changes …'],
  'startup/api-key-dialog': [],
  'startup/auth-dialog': LOGIN,
  'startup/auth-dialog-key-in-env': LOGIN,
  'startup/ide-nudge': ['Yes', 'No (esc)', "No, don't ask again"],
  'startup/theme-dialog': expect.arrayContaining(['ANSI Dark', 'GitHub Light Colorblind Light']),
  'startup/trust-dialog': TRUST,
  'startup/trust-dialog-with-prompt-already-answered': TRUST,
};
/** Screens of a CLI that has ended, or never began to listen. */
const NOTHING = [
  ...['startup/resume-unknown', 'startup/settings-not-json', 'startup/settings-wrong-type-crash'],
  'startup/trust-accepted-exit-199',
];
const INPUTS: Readonly<Record<string, string>> = {
  'input/bracketed-20kB': '[Pasted Text: 400 lines]',
  'input/bracketed-bang-is-text': 'fix the bug! echo pwned1 > pwned1.txt',
  'input/bracketed-multi-line': 'line one\nline two\n\nline four',
  'input/send-keys-bang-became-shell-command': ' echo pwned1 > pwned1.txt',
  'state/quit-summary': '/quit',
};
const isDialog = (name: string): boolean =>
  name in OPTIONS || /^dialog\/|\.dialog$|hook-failed-warning$/.test(name);

describe('all recorded screens of the CLI', () => {
  it.each(names.filter(isDialog))('show this dialog, and no input: %s', (name) => {
    const { dialog, input } = read(name);
    expect(dialog?.options.map(({ label }) => label)).toEqual(OPTIONS[name] ?? CALL);
    expect(input).toBeUndefined();
  });

  it.each(names.filter((name) => !isDialog(name)))('show this input, and no dialog: %s', (name) => {
    const { dialog, input, isShellMode } = read(name);
    const wanted = NOTHING.includes(name) ? undefined : (INPUTS[name] ?? '');
    expect([dialog, input]).toEqual([undefined, wanted]);
    expect(isShellMode).toBe(name.startsWith('input/send-keys-bang'));
  });

  it('tell the mode, except the minimal layout, a shell and a CLI that has ended', () => {
    const without = names.filter((name) => !isDialog(name) && read(name).mode === undefined);
    expect(without.sort()).toEqual([
      ...['input/send-keys-bang-after-enter', 'input/send-keys-bang-became-shell-command'],
      ...['layout/minimalTabTab.idle', ...NOTHING, 'state/quit-summary'],
    ]);
  });

  it.each([
    ['state/thinking', 'Executing Hook: rec-BeforeAgent'],
    ['state/shell-running', 'Thinking...'],
    ['state/prompt-queued-while-working', 'Executing Hooks: rec-BeforeAgent, rec-BeforeTool'],
    // The line stays for some seconds after the hook has ended.
    ['state/esc-while-hook-waits-4s-later', 'Executing Hook: rec-BeforeTool'],
    ['state/after-esc-while-shell', undefined],
    ['state/mode-default', undefined],
  ])('tell what the CLI does: %s', (name, status) => {
    expect(read(name).status).toBe(status);
  });

  it.each([
    ['state/hook-waiting-5s', 'please XWRITE 30s', ['I will write it.']],
    ['state/after-deny-write', 'please XWRITE b', ['I will write it.']],
    ['state/deny-second-of-two', 'please XWRITESHELL', ['First write.', 'Then shell.']],
    ['state/write-turn.frames', 'please XWRITE now', ['I will write it.', 'Write step finished.']],
    ['state/shell-running', 'please XSHELLSLOW one', ['Running slow.']],
    ['startup/resumed-session', 'back in TUI', ['OK default answer.']],
    ['dialog/parallel-2-of-2', 'please XSHELL2', ['Two shells.']],
    ['dialog/write_file-300-lines', undefined, undefined],
  ])('tell the text of the turn, without its calls: %s', (name, prompt, answers) => {
    const { turn } = read(name);
    expect([turn?.prompt, turn?.answers]).toEqual([prompt, answers]);
  });
});
