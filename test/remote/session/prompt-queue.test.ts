import { describe, expect, it, vi } from 'vitest';
import type { RemotePromptEntry } from '../../../src/api/remote-entry.js';
import { assertPrompt, keepPrompt, PromptQueue } from '../../../src/remote/session/prompt-queue.js';
import { ScriptedDriver } from '../scripted-driver.js';
import { createSession } from './create-session.js';

/** Creates a queue whose session is led by a driver, and advances when the session is ready. */
async function create() {
  const { session, onReady, contents } = await createSession();
  const queue = new PromptQueue(session);
  onReady.mockImplementation(() => void queue.advance());
  const driver = new ScriptedDriver(session);
  driver.begin();
  session.drive(driver);
  const reported = async (): Promise<string[]> =>
    (await contents()).flatMap((content) =>
      content.type === 'prompt' ? [`${content.promptId} ${content.status}`] : [],
    );
  const last = async (promptId: string): Promise<RemotePromptEntry | undefined> =>
    (await contents())
      .filter((content) => content.type === 'prompt')
      .findLast((content) => content.promptId === promptId);
  const add = (promptId: string, isNext = false): void =>
    queue.add({ promptId, text: promptId, by: 'phone', isNext });
  return { session, queue, driver, reported, last, add };
}

describe('PromptQueue', () => {
  it('sends one prompt at a time, each once, and the next one first', async () => {
    const { queue, driver, add, reported } = await create();
    for (const id of ['a', 'b', 'a']) add(id);
    add('c', true);
    expect([driver.actions, queue.isWaiting]).toEqual([['prompt a'], true]);
    for (const count of [2, 3]) {
      driver.endTurn();
      await vi.waitFor(() => expect(driver.actions).toHaveLength(count));
    }
    driver.endTurn();
    await vi.waitFor(() => expect(queue.isWaiting).toBe(false));
    expect(driver.actions).toEqual(['prompt a', 'prompt c', 'prompt b']);
    const [a, b, c] = ['a', 'b', 'c'].map((id) => `${id} `);
    expect(await reported()).toEqual([
      ...[`${a}queued`, `${a}sent`, `${a}accepted`, `${b}queued`, `${c}queued`],
      ...[`${a}answered`, `${c}sent`, `${c}accepted`],
      ...[`${c}answered`, `${b}sent`, `${b}accepted`, `${b}answered`],
    ]);
  });

  it('takes back a prompt that waits, and none that is on its way', async () => {
    const { queue, driver, add, reported } = await create();
    add('a');
    add('b');
    queue.withdraw('b');
    for (const id of ['a', 'b', 'unknown'])
      expect(() => queue.withdraw(id)).toThrow('no longer queued');
    driver.endTurn();
    await vi.waitFor(() => expect(queue.isWaiting).toBe(false));
    expect(driver.actions).toEqual(['prompt a']);
    expect((await reported()).filter((line) => line.startsWith('b'))).toEqual([
      'b queued',
      'b withdrawn',
    ]);
  });

  it('reports a turn that failed, and a prompt that the agent never got, and goes on', async () => {
    const { driver, add, last } = await create();
    vi.spyOn(driver, 'prompt').mockRejectedValueOnce(new Error('a draft is in the input'));
    add('lost');
    add('failed');
    await vi.waitFor(() => expect(driver.actions).toEqual(['prompt failed']));
    expect(await last('lost')).toMatchObject({
      ...{ status: 'not-delivered', detail: 'a draft is in the input' },
    });
    driver.endTurn(new Error('The API is down'));
    await vi.waitFor(async () =>
      expect(await last('failed')).toMatchObject({ status: 'answered', detail: 'The API is down' }),
    );
  });

  it('refuses prompts that cannot be sent', async () => {
    const { session, queue, add } = await create();
    expect(() => queue.add({ promptId: 'a', text: ' \n', by: 'phone' })).toThrow('empty');
    expect(() => assertPrompt('x'.repeat(1_000_001))).toThrow('longer than 1000000');
    assertPrompt('x'.repeat(1_000_000));
    session.ended('gone', 'server', true);
    expect(() => add('late')).toThrow('cannot take a prompt at present');
    expect(queue.isWaiting).toBe(false);
  });

  it('keeps the first prompt of a session that starts, and reports it if the start fails', async () => {
    const { session, onReady, contents } = await createSession();
    const queue = new PromptQueue(session);
    onReady.mockImplementation(() => void queue.advance());
    session.update({ state: 'starting' }, 'server');
    queue.addFirst({ promptId: 'a', text: 'go', by: 'phone' });
    queue.end('The session could not be started');
    expect(queue.isWaiting).toBe(false);
    expect((await contents()).at(-1)).toMatchObject({
      ...{ status: 'not-delivered', detail: 'The session could not be started' },
    });
  });

  it('sends after a restart what waited, and not what was on its way', async () => {
    const { queue, driver, last, add } = await create();
    const entry = { type: 'prompt', text: 'x', by: 'phone' } as const;
    queue.restore({ ...entry, promptId: 'done', status: 'answered' });
    queue.restore({ ...entry, promptId: 'sent', status: 'sent' });
    queue.restore({ ...entry, promptId: 'waits', status: 'queued', text: 'waits' });
    expect(await last('sent')).toMatchObject({
      ...{ status: 'not-delivered', detail: expect.stringContaining('The server ended') },
    });
    for (const id of ['done', 'sent', 'waits']) add(id);
    void queue.advance();
    expect(driver.actions).toEqual(['prompt waits']);
  });

  it('tells a device that its prompt cannot be stored', async () => {
    const { session } = await create();
    await keepPrompt(session);
    await session.log.close();
    await expect(keepPrompt(session)).rejects.toMatchObject({
      ...{ code: 'API_UNAVAILABLE', message: expect.stringContaining('cannot be stored') },
    });
  });
});
