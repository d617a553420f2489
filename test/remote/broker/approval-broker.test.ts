import { describe, expect, it, vi } from 'vitest';
import { createBroker, draftOf } from './create-broker.js';

describe('ApprovalBroker', () => {
  it('gives the first answer to the agent and refuses the second with the name of the first', async () => {
    const { broker, ask, idOf } = createBroker();
    const { answer, request } = ask();
    const inputHash = request?.inputHash ?? '';
    const decisions = await Promise.allSettled([
      broker.decide(idOf(request), { type: 'allow', inputHash }, 'phone'),
      broker.decide(idOf(request), { type: 'deny' }, 'tablet'),
    ]);
    expect(decisions.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(await answer).toMatchObject({ outcome: 'decided', by: 'phone' });
    await expect(broker.decide(idOf(request), { type: 'deny' }, 'tablet')).rejects.toThrow('phone');
    expect(broker.list()).toEqual([]);
  });

  it('writes the answer before the agent gets it, and stays open if it cannot be written', async () => {
    const { broker, log, ask, idOf } = createBroker();
    log.closed.mockRejectedValueOnce(new Error('disk full'));
    const { answer, request } = ask();
    await expect(broker.decide(idOf(request), { type: 'deny' }, 'phone')).rejects.toThrow(
      'disk full',
    );
    expect(broker.list()).toHaveLength(1);
    // The log shows that the request is open again.
    expect(log.opened.mock.calls).toEqual([[request], [request]]);
    await broker.decide(idOf(request), { type: 'deny', reason: 'no' }, 'phone');
    expect(await answer).toMatchObject({ decision: { type: 'deny', reason: 'no' } });
  });

  it('withdraws a request whose agent has gone while an answer could not be written', async () => {
    const { broker, log, ask, idOf } = createBroker();
    const ending = new AbortController();
    log.closed.mockImplementationOnce(async () => {
      ending.abort();
      throw new Error('disk full');
    });
    const { answer, request } = ask({}, ending.signal);
    await expect(broker.decide(idOf(request), { type: 'deny' }, 'phone')).rejects.toThrow();
    expect(await answer).toEqual({ outcome: 'withdrawn' });
    expect(broker.list()).toEqual([]);
  });

  it('asks the person if the answer of a rule cannot be written', async () => {
    const { broker, log, ask, idOf } = createBroker();
    const first = ask();
    const inputHash = first.request?.inputHash ?? '';
    await broker.decide(idOf(first.request), { type: 'allow-for-session', inputHash }, 'phone');
    log.closed.mockRejectedValueOnce(new Error('disk full'));
    const { answer } = ask();
    await vi.waitFor(() => expect(broker.list()).toHaveLength(1));
    await broker.decide(idOf(broker.list()[0]), { type: 'deny' }, 'phone');
    expect(await answer).toMatchObject({ by: 'phone' });
  });

  it('refuses an allow for a call that has changed', async () => {
    const { broker, ask, idOf } = createBroker();
    const { request } = ask();
    await expect(
      broker.decide(idOf(request), { type: 'allow', inputHash: 'other' }, 'phone'),
    ).rejects.toThrow('has changed');
    expect(broker.list()).toHaveLength(1);
  });

  it('binds the hash to tool, arguments and diff', () => {
    const { ask } = createBroker();
    const hashes = [
      ask(),
      ask({ toolName: 'other' }),
      ask({ input: { command: 'rm' } }),
      ask({ diff: 'x' }),
    ];
    expect(new Set(hashes.map(({ request }) => request?.inputHash)).size).toBe(4);
  });

  it('never allows where a session can only be denied', async () => {
    const { broker, ask, idOf } = createBroker();
    const { request } = ask({ isDenyOnly: true });
    const inputHash = request?.inputHash ?? '';
    await expect(
      broker.decide(idOf(request), { type: 'allow', inputHash }, 'phone'),
    ).rejects.toThrow('watched');
  });

  it('tells what a rule would allow, and allows once where no rule can be made', async () => {
    const { broker, log, ask, idOf } = createBroker();
    expect(ask().request?.rule).toBe('npm test …');
    expect(ask({ command: 'ls > out.txt' }).request?.rule).toBe('ls > out.txt');
    const { answer, request } = ask({ toolName: '', command: undefined });
    expect(request?.rule).toBeUndefined();
    const inputHash = request?.inputHash ?? '';
    await broker.decide(idOf(request), { type: 'allow-for-session', inputHash }, 'phone');
    expect(await answer).toMatchObject({ decision: { type: 'allow' } });
    expect(log.ruled).not.toHaveBeenCalled();
  });

  it('withdraws a request when the agent no longer waits', async () => {
    const { broker, ask } = createBroker();
    const ending = new AbortController();
    const { answer } = ask({}, ending.signal);
    ending.abort();
    expect(await answer).toEqual({ outcome: 'withdrawn' });
    expect(broker.list()).toEqual([]);
  });

  it('tells that a request is settled when it no longer counts as open', async () => {
    const { broker, log, ask, idOf } = createBroker();
    const counts: number[] = [];
    log.settled.mockImplementation(() => counts.push(broker.count('s')));
    const ending = new AbortController();
    ask({}, ending.signal);
    ending.abort();
    await vi.waitFor(() => expect(counts).toEqual([0]));
    await broker.decide(idOf(ask().request), { type: 'deny' }, 'phone');
    expect(counts).toEqual([0, 0]);
  });

  it('withdraws a request of an agent that has gone while the answer of a rule could not be written', async () => {
    const { broker, log, ask, idOf } = createBroker();
    const first = ask();
    const inputHash = first.request?.inputHash ?? '';
    await broker.decide(idOf(first.request), { type: 'allow-for-session', inputHash }, 'phone');
    const ending = new AbortController();
    log.closed.mockImplementationOnce(async () => {
      ending.abort();
      throw new Error('disk full');
    });
    expect(await broker.ask(draftOf(), ending.signal)).toEqual({ outcome: 'withdrawn' });
    expect(log.closed.mock.lastCall).toMatchObject([{}, { outcome: 'withdrawn' }]);
  });

  it('makes no rule if the answer cannot be written, or if the session ends meanwhile', async () => {
    const { broker, log, ask, idOf } = createBroker();
    const { request } = ask();
    const decision = { type: 'allow-for-session', inputHash: request?.inputHash ?? '' } as const;
    log.closed.mockRejectedValueOnce(new Error('disk full'));
    await expect(broker.decide(idOf(request), decision, 'phone')).rejects.toThrow('disk full');
    expect(broker.rules.list()).toEqual([]);
    log.closed.mockImplementationOnce(async () => void broker.rules.endSession('s'));
    await broker.decide(idOf(request), decision, 'phone');
    expect(broker.rules.list()).toEqual([]);
    expect(log.ruled).not.toHaveBeenCalled();
  });

  it('answers by a rule of the session, and asks again after the rule was revoked', async () => {
    const { broker, log, ask, idOf } = createBroker();
    const first = ask();
    const inputHash = first.request?.inputHash ?? '';
    await broker.decide(idOf(first.request), { type: 'allow-for-session', inputHash }, 'phone');
    expect(log.ruled).toHaveBeenCalledOnce();
    expect(
      await broker.ask(draftOf({ command: 'npm test -- src' }), new AbortController().signal),
    ).toMatchObject({ by: 'rule' });
    const [rule] = broker.rules.list();
    broker.rules.revoke(rule?.id ?? '');
    expect(ask().request).toBeDefined();
  });
});
