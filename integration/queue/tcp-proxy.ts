import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What happens to data and connections on their way. */
export type LineState = 'open' | 'stalled' | 'cut';

/** A network between a worker and its store that a test can disturb. */
export interface TcpProxy {
  /** URL of the store, as it is reached through the proxy. */
  readonly url: string;
  /** Breaks all connections with a reset and refuses new ones, as a network that is down does. */
  cut(): void;
  /** Keeps all connections and lets nothing through, as a network that loses every packet does. */
  stall(): void;
  /** Delays all data by this time, in each direction. */
  delay(ms: number): void;
  /** Breaks all connections once. New ones are possible at once. */
  drop(): void;
  /** Lets everything through again, and delivers what was held back. */
  heal(): void;
  /** Bytes that went through, in both directions. */
  readonly bytes: number;
  close(): Promise<void>;
}

/** Starts a proxy on a free port of loopback in front of the server that the URL names. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const to = new URL(target);
  const lines = new Set<readonly [Socket, Socket]>();
  let state: LineState = 'open';
  let delayMs = 0;
  let bytes = 0;
  let onHeal: (() => void)[] = [];

  const untilHealed = (): Promise<void> =>
    new Promise((resolve) => {
      onHeal.push(resolve);
    });
  const carry = async (from: Socket, into: Socket): Promise<void> => {
    try {
      for await (const chunk of from) {
        if (delayMs > 0) await sleep(delayMs);
        while (state === 'stalled') await untilHealed();
        if (into.destroyed) return;
        bytes += chunk.length;
        if (!into.write(chunk)) await once(into, 'drain');
      }
      into.end();
    } catch {
      into.destroy();
    }
  };
  const server = createServer((near) => {
    near.on('error', () => {});
    if (state === 'cut') {
      near.resetAndDestroy();
      return;
    }
    const far = connect(Number(to.port), to.hostname);
    far.on('error', () => near.destroy());
    const line = [near, far] as const;
    lines.add(line);
    near.once('close', () => {
      lines.delete(line);
      far.destroy();
    });
    void carry(near, far);
    void carry(far, near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port');
  const url = new URL(target);
  url.port = String(address.port);

  const drop = (): void => {
    for (const [near, far] of lines) {
      near.resetAndDestroy();
      far.resetAndDestroy();
    }
  };
  const heal = (): void => {
    state = 'open';
    delayMs = 0;
    const waiting = onHeal;
    onHeal = [];
    for (const go of waiting) go();
  };
  return {
    url: url.href,
    get bytes() {
      return bytes;
    },
    cut: () => {
      state = 'cut';
      drop();
    },
    stall: () => {
      state = 'stalled';
    },
    delay: (ms) => {
      delayMs = ms;
    },
    drop,
    heal,
    close: async () => {
      heal();
      drop();
      server.close();
      await once(server, 'close');
    },
  };
}
