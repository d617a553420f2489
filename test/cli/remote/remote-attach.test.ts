import { expect, it } from 'vitest';
import { findTmuxSession, parseTmuxSessions } from '../../../src/cli/remote/remote-attach.js';

const LISTED =
  '1700000002 gemini-b 1b2b3c4d-1\n1700000001 gemini-a 1a2b3c4d-0\n1700000003 other \n';

it('a session in tmux is found by its name, by the beginning of its id, or as the latest', () => {
  // The window of the second one is divided.
  const sessions = parseTmuxSessions(`${LISTED}1700000002 gemini-b \n`);
  expect(sessions.map(({ name }) => name)).toEqual(['gemini-a', 'gemini-b', 'other']);
  expect(findTmuxSession(sessions, undefined).name).toBe('other');
  expect(findTmuxSession(sessions, 'gemini-a').name).toBe('gemini-a');
  expect(findTmuxSession(sessions, '1b2').name).toBe('gemini-b');
});

it('an unknown id, an ambiguous one and an empty server are refused with what there is', () => {
  const sessions = parseTmuxSessions(LISTED);
  expect(() => findTmuxSession(sessions, 'x')).toThrow('There is no session x in tmux');
  expect(() => findTmuxSession(sessions, '')).toThrow('There is no session  in tmux');
  expect(() => findTmuxSession(sessions, '1')).toThrow('2 sessions have an id that begins with 1');
  expect(() => findTmuxSession(parseTmuxSessions(''), undefined)).toThrow(
    'No session runs in tmux',
  );
  expect(() => findTmuxSession(sessions, 'x')).toThrow(
    expect.objectContaining({ hint: expect.stringContaining('gemini-a (1a2b3c4d-0)') }),
  );
});
