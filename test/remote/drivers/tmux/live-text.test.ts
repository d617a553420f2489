import { describe, expect, it } from 'vitest';
import { LiveText } from '../../../../src/remote/drivers/tmux/live-text.js';
import { parseScreen } from '../../../../src/remote/tmux/parse-screen.js';
import { TmuxPane } from '../../../../src/remote/tmux/tmux-pane.js';
import { boxOf } from '../../tmux/scripted-pane.js';

const edge = (sign: string): string => sign.repeat(40);
const turnOf = (prompt: string, ...answers: readonly string[]): string =>
  [edge('▄'), ` > ${prompt}`, edge('▀'), ...answers.map((text) => `✦ ${text}`)].join('\n');
const TAIL = ['', ' ⠼ Thinking... (esc to cancel, 6s)', edge('─'), boxOf('  Type your message')];

/** Reads a screen, with the lines that have scrolled away above it. */
function read(screen: string, above: string, prompt?: string, logged: readonly string[] = []) {
  const looks: (readonly string[])[] = [];
  const pane = new TmuxPane(async (args) => {
    looks.push(args);
    return `${above}\n${screen}`;
  }, '%1');
  const live = new LiveText(pane, (text) => logged.includes(text));
  const text = live.read(parseScreen(screen), prompt);
  return { text, looks };
}
const withTail = (text: string): string => [text, ...TAIL].join('\n');

describe('the text that the model is writing', () => {
  it('is that of the present turn, without what the log has', async () => {
    const screen = withTail(turnOf('go on', 'one', 'two'));
    const { text, looks } = read(screen, '', 'go on', ['one']);
    expect([await text, looks.length]).toEqual(['two', 0]);
    expect(await read(screen, '', undefined).text).toBe('one\n\ntwo');
  });

  it('is found in the lines above when its prompt has scrolled off the screen', async () => {
    const { text, looks } = read(
      withTail('  the last line'),
      turnOf('go on', 'the first line'),
      'go on',
    );
    expect(await text).toBe('the first line\nthe last line');
    expect(looks).toEqual([['capture-pane', '-p', '-S', '-2000', '-t', '%1']]);
  });

  it('is none while the screen still shows an earlier turn, or no turn at all', async () => {
    expect(await read(withTail(turnOf('before', 'old')), '', 'go on').text).toBe('');
    expect(await read(withTail('  a line'), 'no prompt here', 'go on').text).toBe('');
    // A prompt without letters cannot be compared.
    expect(await read(withTail(turnOf('1 + 1', '2')), '', '1 + 1').text).toBe('2');
  });

  it('is none if the pane cannot be read at present', async () => {
    const pane = new TmuxPane(async () => Promise.reject(new Error('busy')), '%1');
    const live = new LiveText(pane, () => false);
    expect(await live.read(parseScreen(withTail('  a line')), 'go on')).toBe('');
  });
});
