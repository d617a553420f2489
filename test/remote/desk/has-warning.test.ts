import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasWarning } from '../../../src/remote/desk/has-warning.js';
import { parseScreen } from '../../../src/remote/tmux/parse-screen.js';
import { dialogOf } from '../tmux/scripted-pane.js';
import { announcementOf, execOf } from './hooks.js';

const OPTIONS = ['Allow once', 'No, suggest changes (esc)'];
const EDIT = announcementOf({ type: 'edit', fileName: 'package.json' });

const readDialog = (screen: string) => {
  const { dialog } = parseScreen(screen);
  if (dialog === undefined) throw new Error('There is no dialog on the screen');
  return dialog;
};
const rowsOf = (...rows: readonly string[]) => readDialog(dialogOf([...rows, ''], OPTIONS));
const captureOf = (name: string) =>
  readDialog(
    readFileSync(
      new URL(`../../fixtures/interactive/panes/${name}.txt`, import.meta.url),
      'utf8',
    ).trimEnd(),
  );
/** A dialog about a command, with further rows between command, question and options. */
const shell = (command: string, above: readonly string[], below: readonly string[] = []) =>
  rowsOf(
    `? Shell  ${command}`,
    ...['╭──╮', `│ ${command} │`, '╰──╯', ...above, 'Allow execution of [Shell]?', ...below],
  );
const COMMAND = 'echo shell-ran > shell.txt; cat shell.txt';

describe('a dialog that says no more than its call', () => {
  it.each([
    ...['dialog/run_shell_command', 'dialog/permanent-approval-option', 'dialog/no-always-option'],
    ...['layout/w80.dialog', 'layout/small.dialog', 'layout/noColor.dialog'],
    ...['layout/altBuffer.dialog', 'layout/minimalTabTab.dialog', 'layout/screenReader.dialog'],
  ])('about a command: %s', (name) => {
    expect(hasWarning(execOf(COMMAND), captureOf(name))).toBe(false);
  });

  it('about a command of many lines, of which the screen shows the last ones', () => {
    const long = Array.from({ length: 60 }, (_, at) => `echo part${at} >> long.txt`).join(' && ');
    expect(
      hasWarning(execOf(`echo start && ${long}`), captureOf('dialog/run_shell_command-long')),
    ).toBe(false);
    const cut = shell('... first 12 lines hidden (Ctrl+O to show) ...', ['│ echo last │']);
    expect(hasWarning(execOf('echo one\necho last'), cut)).toBe(false);
    expect(hasWarning(execOf('echo last\necho one'), cut)).toBe(true);
  });

  it('about one of two commands, an edit, or an MCP tool', () => {
    expect(hasWarning(execOf('echo one > s1.txt'), captureOf('dialog/parallel-1-of-2'))).toBe(
      false,
    );
    for (const name of ['write_file', 'replace', 'write_file-300-lines'])
      expect(hasWarning(EDIT, captureOf(`dialog/${name}`))).toBe(false);
    const mcp = announcementOf({ type: 'mcp', serverName: 's', toolName: 't' });
    expect(hasWarning(mcp, rowsOf('Action Required', '?  t (s) {}', 'MCP Server: s'))).toBe(false);
  });
});

describe('a dialog that says more than its call', () => {
  it.each([
    ['flags', ['⚠  ⚠️ CRITICAL SECURITY WARNING: Untrusted Command Flags Detected']],
    ['build files', ['⚠  ⚠️ CAUTION: Build Configuration Was Recently Modified']],
    ['an address', ['⚠  Warning: Deceptive URL(s) detected:']],
    ['a cut warning', ['Carefully verify these flags before', 'approving.']],
    ['a text that is not known', ['Something new that a person should know.']],
  ])('warns of %s', (_name, above) => {
    expect(hasWarning(execOf('npm test'), shell('npm test', above))).toBe(true);
    expect(hasWarning(execOf('npm test'), shell('npm test', []))).toBe(false);
  });

  it('has the message of another hook', () => {
    const dialog = captureOf('dialog/hook-ask-with-system-message');
    expect(hasWarning(execOf(COMMAND), dialog)).toBe(true);
    const message = ['? WriteFile  package.json', 'SYSMSG on ask', '1 + a', 'Apply this change?'];
    expect(hasWarning(EDIT, rowsOf(...message))).toBe(true);
  });

  it('asks something else below its question', () => {
    expect(hasWarning(execOf('ls'), shell('ls', [], ['And of everything else?']))).toBe(true);
    const redirects = ['Redirection detected. To auto-accept, press Shift+Tab'];
    expect(hasWarning(execOf('ls > x'), shell('ls > x', [], redirects))).toBe(false);
  });

  it('is about another command, or has no header that is seen', () => {
    expect(hasWarning(execOf('ls'), shell('rm x', []))).toBe(true);
    expect(hasWarning(execOf(COMMAND), captureOf('layout/tiny.dialog'))).toBe(true);
    expect(hasWarning(announcementOf({ type: 'exec' }), shell('ls', []))).toBe(true);
  });

  it('warns of the change of a build file', () => {
    const rows = [
      ...['? WriteFile  Writing to package.json', '1 + {}'],
      ...['⚠  ⚠️ CRITICAL SECURITY WARNING: Build File Modification', 'Apply this change?'],
    ];
    expect(hasWarning(EDIT, rowsOf(...rows))).toBe(true);
  });
});
