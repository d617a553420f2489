import { join } from 'node:path';
import { AgentPool } from '../agents/acp/agent-pool.js';
import type { ApprovalMode } from '../api/provider-config.js';
import type { Remote, RemoteOptions } from '../api/remote-options.js';
import { errnoOf } from '../base/errors/errno.js';
import { messageOf } from '../base/errors/message-of.js';
import { ProviderError } from '../base/errors/provider-error.js';
import { findStateDirectory } from '../base/fs/state-directory.js';
import { readEnvironment } from '../base/process/environment.js';
import { silentLogger } from '../config/logging.js';
import { geminiHomeOf } from '../sessions/files/gemini-home.js';
import { answerDesk } from './desk/answer-desk.js';
import type { Desk } from './desk/desk.js';
import { openDesk } from './desk/open-desk.js';
import { prepareAcpSession } from './drivers/acp/open-acp-session.js';
import { findHooksNote } from './hooks/find-hooks-note.js';
import { openEngineSession } from './open-engine-session.js';
import { resolveRemoteOptions } from './remote-options-schema.js';
import { RemoteSessions } from './remote-sessions.js';
import { AuditLog } from './server/audit-log.js';
import { DeviceStore } from './server/device-store.js';
import { OpenStreams } from './server/open-streams.js';
import { PrivateSocket } from './server/private-socket.js';
import { PushSender } from './server/push-sender.js';
import {
  assertSafeAddress,
  type RunningServer,
  startServer,
  warnAboutAddress,
} from './server/remote-server.js';
import { variablesOf } from './session/given-variables.js';
import { PastSessions } from './session/past-sessions.js';
import { refusal } from './session/refusal.js';
import { SessionOwners } from './session/session-owners.js';
import { DeskRecords } from './state/desk-records.js';
import { Presence } from './state/presence.js';
import { openRemoteFolder } from './state/remote-folder.js';
import { SessionStore } from './state/session-store.js';

const MODES: readonly ApprovalMode[] = ['default', 'auto_edit', 'plan'];
const NO_PUSH = 'Push messages need --public-url: a browser accepts them over https alone.';

/** Starts a server for one person, on which paired devices watch, approve and steer sessions. Throws a `ProviderError`. */
export async function startRemote(options: RemoteOptions = {}): Promise<Remote> {
  const settings = resolveRemoteOptions(options);
  assertSafeAddress(settings);
  const { logger = silentLogger, roots, config, allowYolo, rights, publicUrl } = settings;
  const folder = openRemoteFolder(readEnvironment(), settings.state);
  const devices = await DeviceStore.open(folder.devicesFile);
  const presence = new Presence(folder.presenceFile);
  const audit = new AuditLog(folder.auditFile, logger);
  const pool = new AgentPool();
  const ending = new AbortController();
  const modes: readonly ApprovalMode[] = allowYolo ? [...MODES, 'yolo'] : MODES;
  const geminiHome = geminiHomeOf({ ...readEnvironment(), ...variablesOf(config) });
  let desk: Desk | undefined;
  let push: PushSender | undefined;
  let socket: PrivateSocket | undefined;
  let server: RunningServer | undefined;
  const sessions = new RemoteSessions({
    store: new SessionStore(folder.sessions),
    past: new PastSessions(geminiHome),
    owners: new SessionOwners(join(findStateDirectory(readEnvironment()), 'session-owners')),
    roots,
    model: config.model,
    prepareAcp: (opening) =>
      prepareAcpSession({ ...opening, config, pool, modes, signal: ending.signal }),
    desk: () => desk?.launcher,
  });
  const streams = new OpenStreams();
  presence.subscribe((isAway) => streams.send({ type: 'presence', isAway }));
  const addressNote = warnAboutAddress(settings);
  const hooksNote = (): string | undefined =>
    findHooksNote({ geminiHome, state: settings.state, isExact: true });
  const notes = (): readonly string[] => [
    ...(addressNote === undefined ? [] : [addressNote]),
    ...(publicUrl === undefined ? [NO_PUSH] : (push?.notes ?? [])),
    ...(desk?.notes ?? []),
    ...[devices.note, hooksNote()].filter((note) => note !== undefined),
  ];
  const pairingUrl = (): string => {
    if (server === undefined)
      throw refusal('The server is still starting', 'Try again in a moment.');
    return `${server.url}/#pair=${devices.createCode()}`;
  };
  const revoke = async (id: string): Promise<boolean> => {
    const isRevoked = await devices.revoke(id);
    streams.closeDevice(id);
    await audit.add({
      action: 'revoke',
      by: 'desk',
      deviceId: id,
      outcome: isRevoked ? 'done' : 'refused',
    });
    return isRevoked;
  };
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      ending.abort();
      push?.close();
      await Promise.allSettled([server?.close(), desk?.close()]);
      await Promise.allSettled([sessions.close()]);
      await Promise.allSettled([socket?.close(), audit.close(), pool.dispose()]);
    })();
    return closing;
  };

  async function openAll(): Promise<RunningServer> {
    // The socket comes first: it is the lock that keeps a second server away.
    socket = await PrivateSocket.listen(
      folder.socket,
      (path, body, headers, signal) =>
        answerDesk(
          { path, body, headers, signal },
          {
            ...{ desk, sessions, presence, devices, notes, hooksNote, pairingUrl, revoke },
            address: settings.host,
          },
        ),
      logger,
    );
    if (publicUrl !== undefined)
      push = await PushSender.open({
        keysFile: folder.pushKeysFile,
        devices,
        isWatched: (sessionId) => streams.isWatched(sessionId),
        subject: publicUrl,
        logger,
      });
    await sessions.restore();
    const records = new DeskRecords(folder.sessions);
    const { path: state } = folder;
    desk = await openDesk({ sessions, presence, records, state, config, modes, logger });
    sessions.endLost();
    if (push !== undefined) sessions.subscribe((change) => push?.onChange(change));
    return startServer(
      settings,
      {
        control: sessions,
        devices,
        audit,
        rights,
        roots,
        push,
        pushNote: push === undefined ? NO_PUSH : undefined,
        presence,
        notes,
        streams,
      },
      logger,
    );
  }

  const running = await openAll().catch(async (error: unknown) => {
    // What is open already would go on by itself: panes that are read, timers, processes.
    await close();
    throw toStartError(error, folder.path);
  });
  server = running;
  return {
    url: running.url,
    port: running.port,
    control: sessions,
    get notes() {
      return notes();
    },
    pairingUrl,
    devices: () => devices.list(),
    revoke,
    openSession: (opening) => openEngineSession(sessions, opening),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Returns the error for a server that cannot start. Files of the state folder may be closed to it, or the disk may be full. */
function toStartError(error: unknown, state: string): unknown {
  if (ProviderError.isInstance(error) || errnoOf(error) === undefined) return error;
  return new ProviderError({
    code: 'INVALID_CONFIG',
    message: `The remote server cannot start: ${messageOf(error)}`,
    hint: `Look at the state folder ${state} and its disk: the server must be able to read and write there.`,
    cause: error,
  });
}
