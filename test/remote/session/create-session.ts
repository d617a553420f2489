import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { RemoteEntry } from '../../../src/api/remote-entry.js';
import { ApprovalBroker } from '../../../src/remote/broker/approval-broker.js';
import { SessionLog } from '../../../src/remote/log/session-log.js';
import { ControlledSession } from '../../../src/remote/session/controlled-session.js';

/** Creates a session with a log in a temporary folder and a broker that writes nothing. */
export async function createSession() {
  const log = await SessionLog.open(join(mkdtempSync(join(tmpdir(), 'session-')), 'log.jsonl'));
  onTestFinished(() => log.close());
  const broker = new ApprovalBroker({
    opened: () => {},
    closed: async () => {},
    settled: () => {},
    ruled: () => {},
  });
  const [notify, onReady] = [vi.fn(), vi.fn()];
  const startedAt = new Date().toISOString();
  const parts = { id: 'one', folder: '/', log, broker, startedAt, notify, onReady };
  const contents = async (): Promise<RemoteEntry['content'][]> => {
    const entries = await log.read(0, 1_000);
    return entries.map(({ content }) => content);
  };
  return { session: new ControlledSession(parts), broker, notify, onReady, contents };
}
