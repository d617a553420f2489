import { describe, expect, it } from 'vitest';
import { TurnStop } from '../../../src/agents/acp/turn-stop.js';

const LIMITS = { timeoutMs: 60_000, startTimeoutMs: 60_000, idleTimeoutMs: undefined };

function open(limits: Partial<typeof LIMITS> = {}) {
  const controller = new AbortController();
  const turn = new TurnStop({ ...LIMITS, ...limits }, controller.signal);
  return { turn, controller };
}

describe('the stop of a turn', () => {
  it('has the first reason and ignores later reasons', async () => {
    const { turn, controller } = open();
    turn.stop({ kind: 'permission', tool: 'bash', hint: 'Allow it.' });
    controller.abort();
    await turn.stopped;
    expect(turn.reason).toMatchObject({ kind: 'permission' });
    turn.end();
  });

  it('comes from the signal, even if it was aborted before', async () => {
    const { turn, controller } = open();
    controller.abort();
    await turn.stopped;
    expect(turn.reason).toEqual({ kind: 'cancelled' });
    const late = new TurnStop(LIMITS, controller.signal);
    await late.stopped;
    expect(late.reason).toEqual({ kind: 'cancelled' });
  });

  it('comes from a timer', async () => {
    const { turn } = open({ startTimeoutMs: 5 });
    await turn.stopped;
    expect(turn.reason).toEqual({ kind: 'timeout', phase: 'start', limitMs: 5 });
  });

  it('does not come after the turn is over', () => {
    const { turn, controller } = open();
    turn.end();
    controller.abort();
    expect(turn.reason).toBeUndefined();
  });
});
