import { z } from 'zod';
import type { RemoteSessions } from '../remote-sessions.js';
import type { DeviceStore } from '../server/device-store.js';
import { refusal } from '../session/refusal.js';
import type { Presence } from '../state/presence.js';
import type { Desk } from './desk.js';

/** A request on the private socket. */
export interface SocketRequest {
  readonly path: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** What the desk can ask for. */
export interface DeskServices {
  readonly desk: Desk | undefined;
  readonly sessions: RemoteSessions;
  readonly presence: Presence;
  readonly devices: DeviceStore;
  readonly notes: () => readonly string[];
  /** Why sessions at the desk are not seen; undefined if their hooks are linked. */
  readonly hooksNote: () => string | undefined;
  /** Address on which the server listens. */
  readonly address: string;
  pairingUrl(): string;
  revoke(deviceId: string): Promise<boolean>;
}

const revokeBody = z.object({ id: z.string() });

/** Answers a hook of the CLI or a command at the desk. */
export async function answerDesk(
  { path, body, headers, signal }: SocketRequest,
  services: DeskServices,
): Promise<object> {
  const { desk, sessions, presence, devices } = services;
  if (path.startsWith('/hook/')) {
    const pane = {
      tmux: headers['x-tmux'],
      pane: headers['x-tmux-pane'],
      parent: headers['x-parent'],
    };
    return (await desk?.onHook(path.slice('/hook/'.length), body, pane, signal)) ?? {};
  }
  switch (path) {
    case '/ping':
      return { isRunning: true };
    case '/desk/status':
      return {
        isAway: presence.isAway(),
        address: services.address,
        notes: services.notes(),
        devices: devices.list(),
        sessions: sessions.list().filter(({ driver }) => driver !== 'past'),
      };
    case '/desk/pair':
      return { url: services.pairingUrl() };
    case '/desk/away':
    case '/desk/here':
      await presence.set(path === '/desk/away');
      return { isAway: presence.isAway(), note: services.hooksNote() };
    case '/desk/revoke': {
      const { id } = revokeBody.parse(body);
      if (!(await services.revoke(id)))
        throw refusal('There is no device with this id', 'List them with `remote devices`.');
      return {};
    }
    default:
      throw refusal(
        'The remote server does not know this command',
        'Use the same version of the package at both ends.',
      );
  }
}
