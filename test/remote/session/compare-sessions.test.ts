import { expect, it } from 'vitest';
import type { RemoteState } from '../../../src/api/remote-session.js';
import { cutSessions } from '../../../src/remote/session/compare-sessions.js';
import { sessionOf } from './session-of.js';

const of = (id: string, state: RemoteState, minute: number) =>
  sessionOf({ id, state, updatedAt: new Date(minute * 60_000).toISOString() });

it('shows sessions that need a person first, then open ones, then those that have ended, the newest first', () => {
  const sessions = [
    ...[of('ended', 'ended', 9), of('old', 'working', 1), of('new', 'ready', 3)],
    ...[of('asks', 'needs-you', 0), of('asks later', 'needs-you', 2), of('starts', 'starting', 2)],
  ];
  const sorted = cutSessions(sessions).map(({ id }) => id);
  expect(sorted).toEqual(['asks later', 'asks', 'new', 'starts', 'old', 'ended']);
  expect(sessions[0]?.id).toBe('ended');
});

it('leaves out ended sessions beyond the latest 200, and no open one', () => {
  const ended = Array.from({ length: 250 }, (_, minute) => of(`${minute}`, 'ended', minute));
  const open = Array.from({ length: 250 }, (_, minute) => of(`open ${minute}`, 'ready', minute));
  const shown = cutSessions([...ended, ...open]);
  expect(shown.filter(({ state }) => state === 'ready')).toHaveLength(250);
  expect(shown.slice(250).map(({ id }) => id)).toEqual(
    Array.from({ length: 200 }, (_, index) => `${249 - index}`),
  );
});
