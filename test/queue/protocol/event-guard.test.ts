import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/api/agent-event.js';
import { EventGuard, findRest } from '../../../src/queue/protocol/event-guard.js';

const PIECES = ['Once ', 'upon\n', '\n', 'a ', 'time', '.'];
const TEXT = PIECES.join('');

function delta(text: string, more: { textKind?: 'thinking'; parentCallId?: string } = {}) {
  return { type: 'text-delta', text, textKind: 'text', ...more } as const;
}

const STATUS: AgentEvent = { type: 'session-status', status: 'warning', message: 'm' };

/** Joins the pieces of the answer. */
function textOf(events: readonly AgentEvent[]): string {
  return events
    .flatMap((it) => {
      return it.type === 'text-delta' && it.textKind === 'text' && it.parentCallId === undefined
        ? [it.text]
        : [];
    })
    .join('');
}

describe('EventGuard', () => {
  it('lets everything through in its order, and has no rest', () => {
    const guard = new EventGuard(1);
    const events = [delta('a'), STATUS, delta('b')];
    expect(guard.take({ attempt: 1, seq: 0, events: events.slice(0, 2) })).toEqual(
      events.slice(0, 2),
    );
    expect(guard.take({ attempt: 1, seq: 2, events: events.slice(2) })).toEqual(events.slice(2));
    expect([guard.seen, guard.lost, guard.restOf('abc')]).toEqual([3, 0, '']);
  });

  it('shows no event twice', () => {
    const guard = new EventGuard(1);
    const first = { attempt: 1, seq: 0, events: [delta('a'), delta('b')] };
    guard.take(first);
    expect(guard.take(first)).toEqual([]);
    expect(guard.take({ attempt: 1, seq: 1, events: [delta('b'), delta('c')] })).toEqual([
      delta('c'),
    ]);
    expect([guard.seen, guard.lost]).toEqual([3, 0]);
  });

  it('gives the text, whichever events are lost', () => {
    // Each bit of the number says whether one of the events, which travel alone, arrives.
    for (let arrives = 0; arrives < 2 ** PIECES.length; arrives++) {
      const guard = new EventGuard(1);
      const shown = PIECES.flatMap((piece, seq) => {
        const hasArrived = (arrives >> seq) % 2 === 1;
        return hasArrived ? guard.take({ attempt: 1, seq, events: [delta(piece)] }) : [];
      });
      guard.end(PIECES.length);
      expect(textOf(shown) + guard.restOf(TEXT)).toBe(TEXT);
      const missing = PIECES.filter((_, seq) => (arrives >> seq) % 2 === 0);
      expect(guard.lost).toBe(missing.length);
    }
  });

  it('gives the text if a batch comes after its successor', () => {
    const guard = new EventGuard(1);
    const batches = [0, 2, 1, 3, 4, 5].map((seq) => {
      return { attempt: 1, seq, events: [delta(PIECES[seq] ?? '')] };
    });
    const shown = batches.flatMap((batch) => guard.take(batch));
    guard.end(PIECES.length);
    expect(textOf(shown)).toBe('Once ');
    expect(textOf(shown) + guard.restOf(TEXT)).toBe(TEXT);
  });

  it('shows events that are no delta also after a gap', () => {
    const guard = new EventGuard(1);
    expect(guard.take({ attempt: 1, seq: 5, events: [delta('x'), STATUS, delta('y')] })).toEqual([
      STATUS,
    ]);
    expect([guard.lost, guard.seen]).toEqual([5, 8]);
  });

  it('withholds thoughts after a gap up to the next event that is no delta', () => {
    const guard = new EventGuard(1);
    const thought = (text: string) => delta(text, { textKind: 'thinking' });
    guard.take({ attempt: 1, seq: 0, events: [thought('a')] });
    const events = [thought('c'), delta('x'), thought('d'), STATUS, thought('e')];
    expect(guard.take({ attempt: 1, seq: 2, events })).toEqual([STATUS, thought('e')]);
  });

  it('does not count the text of a sub-agent as part of the text', () => {
    const guard = new EventGuard(1);
    const inner = delta('inner', { parentCallId: 'c' });
    const shown = guard.take({ attempt: 1, seq: 0, events: [delta('a'), inner, delta('b')] });
    expect(shown).toEqual([delta('a'), inner, delta('b')]);
    guard.end(4);
    expect(guard.restOf('abc')).toBe('c');
  });

  it('has no rest if the text is not the one of the deltas', () => {
    const guard = new EventGuard(1);
    guard.take({ attempt: 1, seq: 0, events: [delta('abc')] });
    guard.end(2);
    expect(guard.lost).toBe(1);
    expect([guard.restOf('abd'), guard.restOf('ab'), guard.restOf('')]).toEqual(['', '', '']);
  });

  it('counts nothing at the end if all came', () => {
    const guard = new EventGuard(1);
    guard.take({ attempt: 1, seq: 0, events: [delta('a')] });
    guard.end(1);
    guard.end(0);
    expect([guard.lost, guard.seen]).toEqual([0, 1]);
  });
});

describe('findRest', () => {
  it.each([
    ['abc', '', 'abc'],
    ['abc', 'ab', 'c'],
    ['abc', 'abc', ''],
    ['abc', 'b', ''],
    ['a\n\nbc', 'ab', 'c'],
    ['a\n\nbc', 'a', '\n\nbc'],
    ['a\n\n\nbc', 'a\nb', 'c'],
    ['a\n\nb\n\ncd', 'abc', 'd'],
    ['a\nbc', 'ab', ''],
    ['😀b', '😀', 'b'],
  ])('of %j after %j is %j', (text, beginning, rest) => {
    expect(findRest(text, beginning)).toBe(rest);
  });
});
