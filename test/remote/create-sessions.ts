import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { DeskResume } from '../../src/remote/drivers/desk-launcher.js';
import { RemoteSessions } from '../../src/remote/remote-sessions.js';
import { PastSessions } from '../../src/remote/session/past-sessions.js';
import { SessionOwners } from '../../src/remote/session/session-owners.js';
import { SessionStore } from '../../src/remote/state/session-store.js';
import { ScriptedDriver } from './scripted-driver.js';

export const PHONE = { name: 'phone', isDesk: false };
export const DESK = { name: 'desk', isDesk: true };

/** What a test may change about the sides of a session. */
export interface Sides {
  /** Thrown before a session is opened: the agent is refused. */
  refusal?: Error;
  /** Thrown when a session is opened. */
  problem?: Error;
  /** Thrown when the CLI is started at the desk. */
  deskProblem?: Error;
  hasTmux?: boolean;
  /** Called when the opening of a session is prepared. */
  prepared?: () => void;
}

/**
 * Opens the sessions of a server with real logs and locks in a temporary folder, and drivers without an agent.
 *
 * @param state folder of an earlier run of the server
 */
export async function createSessions(
  state = realpathSync(mkdtempSync(join(tmpdir(), 'sessions-'))),
  sides: Sides = {},
) {
  const [store, locks, root, geminiHome] = ['store', 'locks', 'root', 'home'].map((name) => {
    const path = join(state, name);
    mkdirSync(path, { recursive: true });
    return path;
  });
  const drivers: ScriptedDriver[] = [];
  const resumed: DeskResume[] = [];
  const sessions = new RemoteSessions({
    store: new SessionStore(store ?? ''),
    past: new PastSessions(geminiHome),
    owners: new SessionOwners(locks ?? ''),
    roots: [root ?? ''],
    model: 'gemini-2.5-flash',
    prepareAcp: async ({ sink, resume, onExit }) => {
      if (sides.refusal !== undefined) throw sides.refusal;
      sides.prepared?.();
      return async () => {
        if (sides.problem !== undefined) throw sides.problem;
        const driver = new ScriptedDriver(sink, onExit);
        drivers.push(driver);
        driver.begin(resume ?? randomUUID());
        return driver;
      };
    },
    desk: () =>
      sides.hasTmux === false
        ? undefined
        : {
            resume: async (resume) => {
              if (sides.deskProblem !== undefined) throw sides.deskProblem;
              resumed.push(resume);
            },
          },
  });
  await sessions.restore();
  onTestFinished(() => sessions.close());
  const isLed = (id: string): boolean =>
    sessions.list().some((session) => session.id === id && session.driver === 'acp');
  /** Starts a session and waits until its driver leads it. */
  const start = async (prompt?: string): Promise<string> => {
    const request = { startId: randomUUID(), folder: root ?? '', prompt };
    const id = await sessions.start(request, PHONE);
    await vi.waitUntil(() => isLed(id), { interval: 5 });
    return id;
  };
  return { sessions, drivers, resumed, state, root: root ?? '', start, isLed, sides };
}
