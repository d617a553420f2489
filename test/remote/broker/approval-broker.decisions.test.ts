import { describe, expect, it, vi } from 'vitest';
import type { RemoteDecision, RemoteRequest } from '../../../src/api/remote-request.js';
import type { RequestDraft } from '../../../src/remote/broker/approval-broker.js';
import { createBroker } from './create-broker.js';

const QUESTION: Partial<RequestDraft> = {
  ...{ kind: 'question', toolName: 'ask_user', command: undefined, input: {} },
  questions: [
    { id: '0', text: 'Go?', options: [], isMultiple: false },
    { id: '1', text: 'Where?', options: [], isMultiple: false },
  ],
};
const DIALOG: Partial<RequestDraft> = {
  ...{ kind: 'dialog', toolName: '', command: undefined, input: {} },
  options: [{ id: '1', label: 'Stop' }],
};

type Decide = (request: RemoteRequest) => RemoteDecision;

describe('decisions', () => {
  it.each<[string, Partial<RequestDraft>, Decide, string]>([
    [
      'an allowance',
      QUESTION,
      ({ inputHash }) => ({ type: 'allow', inputHash }),
      'Only a tool call',
    ],
    [
      'a rule',
      DIALOG,
      ({ inputHash }) => ({ type: 'allow-for-session', inputHash }),
      'Only a tool',
    ],
    ['a denial', DIALOG, () => ({ type: 'deny' }), 'one of its options'],
    ['a long reason', {}, () => ({ type: 'deny', reason: 'x'.repeat(4_001) }), 'longer than 4000'],
    ['answers', {}, () => ({ type: 'answer', answers: { 0: 'x' } }), 'Only a question'],
    ['half an answer', QUESTION, () => ({ type: 'answer', answers: { 0: 'x' } }), 'question 1'],
    ['another option', DIALOG, () => ({ type: 'choose', option: '2' }), 'does not offer'],
    ['an option of no dialog', {}, () => ({ type: 'choose', option: '1' }), 'does not offer'],
  ])(
    'that do not fit are refused, and the request stays open: %s',
    async (_, draft, decide, why) => {
      const { broker, log, ask, idOf } = createBroker();
      const { request } = ask(draft);
      if (request === undefined) throw new Error('The request is not open');
      await expect(broker.decide(idOf(request), decide(request), 'phone')).rejects.toThrow(why);
      expect([broker.list().length, log.closed.mock.calls.length]).toEqual([1, 0]);
    },
  );

  it.each<[string, Partial<RequestDraft>, RemoteDecision]>([
    ['answers', QUESTION, { type: 'answer', answers: { 0: 'yes', 1: ['here', 'there'] } }],
    ['an empty answer', QUESTION, { type: 'answer', answers: { 0: '', 1: '' } }],
    ['an option', DIALOG, { type: 'choose', option: '1' }],
    ['the refusal of a question', QUESTION, { type: 'deny' }],
    ['a long reason', {}, { type: 'deny', reason: 'x'.repeat(4_000) }],
    ['a refusal where nothing can be allowed', { isDenyOnly: true }, { type: 'deny' }],
  ])('reach the agent: %s', async (_name, draft, decision) => {
    const { broker, ask, idOf } = createBroker();
    const { answer, request } = ask(draft);
    await broker.decide(idOf(request), decision, 'phone');
    expect(await answer).toEqual({ outcome: 'decided', decision, by: 'phone' });
  });

  it('come too late for a request that the desk has answered, or that is unknown', async () => {
    const { broker, ask, idOf } = createBroker();
    const ending = new AbortController();
    const { answer, request } = ask({}, ending.signal);
    ending.abort('desk');
    expect(await answer).toEqual({ outcome: 'desk' });
    await expect(broker.decide(idOf(request), { type: 'deny' }, 'phone')).rejects.toThrow(
      'answered before: the desk',
    );
    await expect(broker.decide('unknown', { type: 'deny' }, 'phone')).rejects.toThrow(
      'no longer open',
    );
  });

  it('of the desk do not wait for a log that cannot be written', async () => {
    const { broker, log, ask, idOf } = createBroker();
    log.closed.mockRejectedValue(new Error('disk full'));
    const { answer, request } = ask();
    await broker.withdraw(idOf(request), 'desk');
    expect(await answer).toEqual({ outcome: 'desk' });
    expect([broker.list(), log.settled.mock.calls.length]).toEqual([[], 1]);
  });

  it('that are being written are not overtaken by the end of the agent', async () => {
    const { broker, log, ask, idOf } = createBroker();
    const ending = new AbortController();
    let write = (): void => {};
    log.closed.mockImplementationOnce(() => new Promise((resolve) => (write = resolve)));
    const { answer, request } = ask({}, ending.signal);
    const decided = broker.decide(idOf(request), { type: 'deny' }, 'phone');
    ending.abort();
    await broker.withdraw(idOf(request));
    write();
    await decided;
    expect(await answer).toMatchObject({ by: 'phone' });
    expect(log.closed).toHaveBeenCalledOnce();
  });
});

describe('requests', () => {
  it('of one session are withdrawn together, and those of others stay', async () => {
    const { broker, ask } = createBroker();
    const answers = [ask().answer, ask().answer];
    ask({ sessionId: 'other' });
    expect([broker.count('s'), broker.count('other')]).toEqual([2, 1]);
    await broker.withdrawAll('s');
    expect(await Promise.all(answers)).toEqual(Array(2).fill({ outcome: 'withdrawn' }));
    expect([broker.count('s'), broker.count('other')]).toEqual([0, 1]);
  });

  it('of an agent that has gone already are never shown, also while a rule is written', async () => {
    const { broker, log, ask, idOf } = createBroker();
    expect(await ask({}, AbortSignal.abort()).answer).toEqual({ outcome: 'withdrawn' });
    expect(log.opened).not.toHaveBeenCalled();
    const { request } = ask();
    const inputHash = request?.inputHash ?? '';
    await broker.decide(idOf(request), { type: 'allow-for-session', inputHash }, 'phone');
    const ending = new AbortController();
    log.closed.mockImplementationOnce(async () => {
      ending.abort();
      throw new Error('disk full');
    });
    expect(await ask({}, ending.signal).answer).toEqual({ outcome: 'withdrawn' });
    expect(broker.list()).toEqual([]);
  });

  it('that can only be denied are not answered by a rule, and offer none', async () => {
    const { broker, ask, idOf } = createBroker();
    const { request } = ask();
    const inputHash = request?.inputHash ?? '';
    await broker.decide(idOf(request), { type: 'allow-for-session', inputHash }, 'phone');
    const watched = ask({ isDenyOnly: true }).request;
    expect([watched?.isDenyOnly, watched?.rule]).toEqual([true, undefined]);
    expect(ask({ kind: 'question' }).request?.rule).toBeUndefined();
  });

  it('that are over are remembered by who answered, the latest 1000 of them', async () => {
    const { broker, ask, idOf } = createBroker();
    const ids: string[] = [];
    for (let count = 0; count <= 1_000; count++) {
      const { request } = ask();
      ids.push(idOf(request));
      await broker.decide(idOf(request), { type: 'deny' }, 'phone');
    }
    const again = (id: string | undefined) => broker.decide(id ?? '', { type: 'deny' }, 'tablet');
    await expect(again(ids[0])).rejects.toThrow('no longer open');
    await expect(again(ids[1])).rejects.toThrow('answered before: phone');
    await vi.waitFor(() => expect(broker.list()).toEqual([]));
  });
});
