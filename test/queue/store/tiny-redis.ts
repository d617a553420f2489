import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** An error that the server answers with. */
class Refusal extends Error {}

/** What a test makes different from a healthy server. */
export interface TinyRedisSettings {
  /** Text of INFO after the version. */
  readonly info?: string;
  /** Answer to the command with this name: an error. */
  readonly refuse?: Readonly<Record<string, string>>;
}

export interface TinyRedis {
  readonly url: string;
  /** Commands in the order in which they came, in capitals. */
  readonly commands: string[][];
  readonly values: Map<string, Buffer>;
  /** Milliseconds to live, by key. */
  readonly lives: Map<string, number>;
  /** Sorted sets: scores by member. */
  readonly sets: Map<string, Map<string, number>>;
  /** Errors that the next commands get. */
  readonly refuse: Map<string, string>;
  /** Number of open connections. */
  connections(): number;
  /** Cuts all connections. */
  cut(): void;
}

type Answer = string | number | Buffer | null | Refusal | readonly Answer[];

/** Starts a server on loopback that speaks the protocol of Redis, with the commands that blobs and connections need. */
export async function startTinyRedis(settings: TinyRedisSettings = {}): Promise<TinyRedis> {
  const commands: string[][] = [];
  const values = new Map<string, Buffer>();
  const lives = new Map<string, number>();
  const sets = new Map<string, Map<string, number>>();
  const refuse = new Map(Object.entries(settings.refuse ?? {}));
  const sockets = new Set<Socket>();
  const setOf = (key: string): Map<string, number> => {
    const found = sets.get(key) ?? new Map<string, number>();
    sets.set(key, found);
    return found;
  };
  const act = (name: string, [key = Buffer.alloc(0), ...more]: readonly Buffer[]): Answer => {
    const refusal = refuse.get(name);
    if (refusal !== undefined) return new Refusal(refusal);
    const id = String(key);
    const [first = '', second = '', third = ''] = more.map(String);
    switch (name) {
      case 'PING':
        return '+PONG';
      case 'INFO':
        return Buffer.from(`redis_version:7.2.0\r\n${settings.info ?? ''}`);
      case 'TIME':
        return [Buffer.from('1000'), Buffer.from('500000')];
      case 'SET':
        values.set(id, more[0] ?? Buffer.alloc(0));
        lives.set(id, Number(third));
        return '+OK';
      case 'GET':
        return values.get(id) ?? null;
      case 'EXISTS':
        return values.has(id) ? 1 : 0;
      case 'PTTL':
        return values.has(id) ? (lives.get(id) ?? -1) : -2;
      case 'PEXPIRE':
        if (values.has(id)) lives.set(id, Number(first));
        return values.has(id) ? 1 : 0;
      case 'DEL':
        return values.delete(id) ? 1 : 0;
      case 'ZADD':
        // ZADD key XX score member: only members that are there.
        if (first !== 'XX') setOf(id).set(second, Number(first));
        else if (setOf(id).has(third)) setOf(id).set(third, Number(second));
        return 1;
      case 'ZREM':
        return setOf(id).delete(first) ? 1 : 0;
      case 'ZREMRANGEBYSCORE':
        for (const [member, score] of setOf(id))
          if (score <= Number(second)) setOf(id).delete(member);
        return 0;
      case 'ZRANGEBYSCORE':
        return [...setOf(id)]
          .filter(([, score]) => score >= Number(first))
          .map(([member]) => Buffer.from(member));
      default:
        return '+OK';
    }
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    let rest: Buffer = Buffer.alloc(0);
    let queued: { name: string; words: readonly Buffer[] }[] | undefined;
    const answer = (name: string, words: readonly Buffer[]): Answer => {
      if (name === 'MULTI') queued = [];
      else if (name === 'EXEC') {
        const all = queued ?? [];
        queued = undefined;
        return all.map((one) => act(one.name, one.words));
      } else if (queued === undefined) return act(name, words);
      else {
        queued.push({ name, words });
        return '+QUEUED';
      }
      return '+OK';
    };
    socket.on('data', (bytes) => {
      rest = Buffer.concat([rest, Buffer.from(bytes)]);
      for (let read = readCommand(rest); read !== undefined; read = readCommand(rest)) {
        const [name = Buffer.alloc(0), ...words] = read.words;
        rest = rest.subarray(read.end);
        commands.push(read.words.map(String));
        socket.write(encode(answer(String(name).toUpperCase(), words)));
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const url = `redis://127.0.0.1:${port}`;
  return { url, commands, values, lives, sets, refuse, connections: () => sockets.size, cut };
}

/** Reads one command: `*2 $3 GET $1 k`, each followed by CR LF. Undefined if the bytes are not all there. */
function readCommand(bytes: Buffer): { words: Buffer[]; end: number } | undefined {
  const lineAt = (at: number): { text: string; next: number } | undefined => {
    const end = bytes.indexOf('\r\n', at);
    return end < 0 ? undefined : { text: bytes.toString('latin1', at + 1, end), next: end + 2 };
  };
  let line = lineAt(0);
  const words: Buffer[] = [];
  for (let left = Number(line?.text); line !== undefined && left > 0; left--) {
    const size = lineAt(line.next);
    const end = (size?.next ?? 0) + Number(size?.text);
    if (size === undefined || bytes.length < end + 2) return undefined;
    words.push(bytes.subarray(size.next, end));
    line = { text: '', next: end + 2 };
  }
  return line && { words, end: line.next };
}

function encode(answer: Answer): Buffer {
  if (answer === null) return Buffer.from('$-1\r\n');
  if (answer instanceof Refusal) return Buffer.from(`-${answer.message}\r\n`);
  if (typeof answer === 'number') return Buffer.from(`:${answer}\r\n`);
  if (typeof answer === 'string') return Buffer.from(`${answer}\r\n`);
  if (Buffer.isBuffer(answer))
    return Buffer.concat([Buffer.from(`$${answer.length}\r\n`), answer, Buffer.from('\r\n')]);
  return Buffer.concat([Buffer.from(`*${answer.length}\r\n`), ...answer.map(encode)]);
}
