import { describe, expect, it } from 'vitest';
import { draftOfDialog } from '../../../../src/remote/drivers/tmux/dialog-choices.js';
import { parseScreen } from '../../../../src/remote/tmux/parse-screen.js';
import { dialogOf } from '../../tmux/scripted-pane.js';

/** Returns the labels that a device gets for a dialog. */
function offered(options: readonly string[], rows: readonly string[] = ['A dialog']) {
  const { dialog } = parseScreen(dialogOf([...rows, ''], options));
  if (dialog === undefined) throw new Error('There is no dialog on the screen');
  return draftOfDialog(dialog, '').options.map(({ label }) => label);
}

describe('options of a dialog', () => {
  it.each([
    ...['Allow for this session', 'Allow for all future sessions'],
    ...['Allow for this file in all future sessions', 'Allow tool for this session'],
    'Allow this command for all future sessions ~/.gemini/policies/auto-saved.toml',
    ...['Allow all server tools for this session', 'Allow tool for all future sessions'],
    ...['Yes, automatically accept edits', 'Modify with external editor'],
    ...['Accept and Load', 'Acknowledge and Enable'],
    // Cut by a narrow terminal.
    ...['Allow for this sessi…', 'Allow o…', 'Yes, automa…', 'Yes,…', 'Modify with ex…', 'Acc…'],
    // Of other versions.
    ...['Yes, allow always', 'Always allow', "Yes, and don't ask again", 'Switch to YOLO mode'],
  ])(
    'that allow more than the call, or open an editor at the desk, are not offered: %s',
    (label) => {
      expect(offered(['Allow once', label, 'No, suggest changes (esc)']).at(1)).toBe(
        'No, suggest changes (esc)',
      );
      // Also if the option that allows once is not on the screen.
      expect(offered([label, 'No, suggest changes (esc)']).at(0)).toBe('No, suggest changes (esc)');
    },
  );

  it('of a plan leave the edits to the person', () => {
    const plan = ['Yes, automatically accept edits', 'Yes, manually accept edits'];
    expect(offered([...plan, 'Type your feedback...'], ['Plan', 'Esc to cancel'])).toEqual([
      ...['Yes, manually accept edits', 'Close the dialog'],
    ]);
  });

  it('that do neither are offered', () => {
    for (const label of ['Allow once', 'Yes, allow once', 'Keep trying', 'Switch to gemini-x'])
      expect(offered([label, 'Stop'])).toEqual([label, 'Stop']);
    expect(offered(['Yes', 'No (esc)'])).toEqual(['Yes', 'No (esc)', 'Close the dialog']);
  });

  it('about trust and login are for the desk', () => {
    expect(offered(['Yes', 'No'], ['Do you trust the files in this folder?'])).toEqual([]);
  });
});
