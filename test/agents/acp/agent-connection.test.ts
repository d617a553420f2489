import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AgentConnection } from '../../../src/agents/acp/agent-connection.js';
import {
  RpcCallError,
  type SessionListener,
  UnknownMethod,
} from '../../../src/agents/acp/rpc-call.js';
import { assertInWorkspace } from '../../../src/agents/acp/workspace-path.js';
import { failureOf, until } from '../../fixtures/cli/support.js';

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Creates a connection whose agent is the test. `send` sends as the agent, `received` has the messages to it. */
function connect() {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const warnings: unknown[] = [];
  const log = () => {};
  const warn = (fields: object) => void warnings.push(fields);
  const connection = new AgentConnection(stdin, stdout, {
    debug: log,
    info: log,
    warn,
    error: log,
  });
  onTestFinished(() => connection.close());
  const received: Message[] = [];
  stdin.on('data', (chunk: Buffer) => {
    for (const line of String(chunk).split('\n')) if (line !== '') received.push(JSON.parse(line));
  });
  const write = (words: string) => void stdout.write(words);
  const send = (message: Message) => write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const update = (sessionId: unknown, what: unknown) => {
    send({ method: 'session/update', params: { sessionId, update: what } });
  };
  /** Takes the next message to the agent. */
  const next = async (): Promise<Message> => {
    await until(() => received.length > 0);
    return received.shift() ?? {};
  };
  return { connection, stdout, write, send, update, next, received, warnings };
}

function listener(more: Partial<SessionListener> = {}) {
  const updates: unknown[] = [];
  return {
    updates,
    onUpdate: (update: unknown) => void updates.push(update),
    onRequest: async () => ({}),
    ...more,
  };
}

describe('a call', () => {
  it('resolves to the result of the agent', async () => {
    const { connection, next, send } = connect();
    const call = connection.call('session/new', { cwd: '/w' });
    const { id, method, params } = await next();
    expect([method, params]).toEqual(['session/new', { cwd: '/w' }]);
    send({ id: id ?? '', result: { sessionId: 's', more: [1] } });
    expect(await call).toEqual({ sessionId: 's', more: [1] });
  });

  it('that the agent refuses fails with the code, the message and the data', async () => {
    const { connection, next, write } = connect();
    const call = failureOf(() => connection.call('x', {}));
    const { id } = await next();
    const error = { code: 429, message: 'too many', data: { details: 'wait' } };
    write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`);
    const failure = await call;
    expect(failure).toBeInstanceOf(RpcCallError);
    expect(failure).toMatchObject({ message: 'too many', failure: { kind: 'refused', error } });
  });

  it('that is open when the agent exits fails as closed, and so does every later call', async () => {
    const { connection, next, stdout } = connect();
    const call = failureOf(() => connection.call('x', {}));
    await next();
    stdout.destroy();
    expect(await call).toMatchObject({ failure: { kind: 'closed' } });
    expect(await failureOf(() => connection.call('y', {}))).toMatchObject({
      message: 'The connection to the agent is closed',
      failure: { kind: 'closed' },
    });
    connection.notify('session/cancel', {});
    connection.close();
  });

  it('resolves after all earlier updates were delivered', async () => {
    const { connection, next, send, update } = connect();
    const received = listener();
    connection.listen('s', received);
    const call = connection.call('session/prompt', {});
    const { id } = await next();
    for (let n = 0; n < 200; n++) update('s', n);
    send({ id: id ?? '', result: { stopReason: 'end_turn' } });
    await call;
    expect(received.updates).toEqual(Array.from({ length: 200 }, (_, n) => n));
  });
});

describe('a line of the agent', () => {
  it.each([
    'Loading...',
    '{"half":',
    '[1,2]',
    '{}',
    '{"jsonrpc":"2.0"}',
    '"x"',
    'null',
    '{"jsonrpc":"1.0","method":"x"}',
    '{"jsonrpc":"2.0","id":1,"error":"x"}',
  ])(
    'that is not a JSON-RPC message (%s) is dropped and logged, and gets no answer',
    async (line) => {
      const { connection, write, next, send, received, warnings } = connect();
      const call = connection.call('x', {});
      const { id } = await next();
      write(`${line}\n\n`);
      send({ id: id ?? '', result: 'fine' });
      expect(await call).toBe('fine');
      expect(warnings).toEqual([{ line }]);
      expect(received).toEqual([]);
    },
  );

  it('that is not a JSON-RPC message is shortened in the log', async () => {
    const { write, warnings } = connect();
    write(`${'x'.repeat(5000)}\n`);
    await until(() => warnings.length > 0);
    expect(warnings).toEqual([{ line: 'x'.repeat(200) }]);
  });

  it('may arrive byte by byte', async () => {
    const { connection, stdout, next } = connect();
    const call = connection.call('x', {});
    const { id } = await next();
    const bytes = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":"ünï"}\r\n`);
    for (const byte of bytes) stdout.write(Buffer.from([byte]));
    expect(await call).toBe('ünï');
  });
});

describe('an update', () => {
  it('reaches the listener of its session and no other', async () => {
    const { connection, update, send, next } = connect();
    const [one, two] = [listener(), listener()];
    connection.listen('one', one);
    connection.listen('two', two);
    const call = connection.call('x', {});
    const { id } = await next();
    update('two', 'b1');
    update('one', 'a1');
    update('three', 'c1');
    update(7, 'd1');
    send({ method: 'session/update', params: undefined });
    send({ method: 'session/other', params: { sessionId: 'one' } });
    update('two', 'b2');
    connection.forget('one');
    send({ id: id ?? '', result: null });
    await call;
    expect(two.updates).toEqual(['b1', 'b2']);
    expect(one.updates).not.toContain('b1');
  });

  it('of a session that is being created is kept for its listener', async () => {
    const { connection, update, send, next } = connect();
    const making = connection.callForSession('session/new', {});
    const { id } = await next();
    update('s', 'early 1');
    update('s', 'early 2');
    send({ id: id ?? '', result: { sessionId: 's' } });
    await making;
    const received = listener();
    connection.listen('s', received);
    expect(received.updates).toEqual(['early 1', 'early 2']);
  });

  it('of an unknown session is not kept', async () => {
    const { connection, update, send, next } = connect();
    const call = connection.call('x', {});
    const { id } = await next();
    update('s', 'not wanted');
    send({ id: id ?? '', result: null });
    await call;
    const received = listener();
    connection.listen('s', received);
    expect(received.updates).toEqual([]);
  });

  it('without a listener is dropped when the next session is created', async () => {
    const { connection, update, send, next } = connect();
    for (const name of ['first', 'second']) {
      const making = connection.callForSession('session/new', {});
      const { id } = await next();
      if (name === 'first') update('gone', 'a last word');
      send({ id: id ?? '', result: { sessionId: name } });
      await making;
    }
    const received = listener();
    connection.listen('gone', received);
    expect(received.updates).toEqual([]);
  });
});

describe('a request of the agent', () => {
  it('goes to the listener of its session, and the agent gets the result', async () => {
    const { connection, send, next } = connect();
    const asked: unknown[] = [];
    const onRequest = async (...args: unknown[]) => {
      asked.push(args);
      return { outcome: 'x' };
    };
    connection.listen('s', listener({ onRequest }));
    const params = { sessionId: 's', a: 1 };
    send({ id: 100, method: 'session/request_permission', params });
    expect(await next()).toMatchObject({ id: 100, result: { outcome: 'x' } });
    expect(asked).toEqual([['session/request_permission', params, '100']]);
  });

  it.each([{ sessionId: 'none' }, { sessionId: 7 }, {}, undefined])(
    'for an unknown session (%j) is answered with an error',
    async (params) => {
      const { send, next } = connect();
      send({ id: 1, method: 'fs/read_text_file', params });
      expect(await next()).toMatchObject({ id: 1, error: { code: -32_602 } });
    },
  );

  it('that the listener does not serve or refuses is answered with an error', async () => {
    const { connection, send, next } = connect();
    const onRequest = async (method: string) => {
      throw method === 'unknown'
        ? new UnknownMethod(method)
        : new Error('Reading a is not allowed');
    };
    connection.listen('s', listener({ onRequest }));
    send({ id: 1, method: 'unknown', params: { sessionId: 's' } });
    expect(await next()).toMatchObject({ id: 1, error: { code: -32_601 } });
    send({ id: 2, method: 'fs/read_text_file', params: { sessionId: 's' } });
    const { error } = await next();
    expect(error?.code).toBe(-32_603);
    expect(error?.message).toContain('Reading a is not allowed');
  });

  it('with wrong parameters is answered with the code for them', async () => {
    const { connection, send, next } = connect();
    const onRequest = async () => assertInWorkspace('/elsewhere/a', ['/w']);
    connection.listen('s', listener({ onRequest }));
    send({ id: 1, method: 'fs/read_text_file', params: { sessionId: 's' } });
    const { error } = await next();
    expect(error).toMatchObject({
      code: -32_602,
      message: expect.stringContaining('/elsewhere/a is outside of the workspace'),
    });
  });
});
