import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { RemoteControl } from '../../../src/api/remote-control.js';
import type { RemoteRight } from '../../../src/api/remote-options.js';
import { AuditLog } from '../../../src/remote/server/audit-log.js';
import { ALL_RIGHTS, DeviceStore } from '../../../src/remote/server/device-store.js';
import { OpenStreams } from '../../../src/remote/server/open-streams.js';
import { PushSender } from '../../../src/remote/server/push-sender.js';
import { startServer } from '../../../src/remote/server/remote-server.js';
import { Presence } from '../../../src/remote/state/presence.js';
import { recordLog } from '../record-log.js';

type Answer = Record<string, unknown>;

/** Starts the server for devices on loopback, with files in a temporary folder. */
export async function openServer(control: RemoteControl, hasPush = false) {
  const folder = mkdtempSync(join(tmpdir(), 'server-'));
  const { logger, lines } = recordLog();
  const devices = await DeviceStore.open(join(folder, 'devices.json'));
  const auditFile = join(folder, 'audit.jsonl');
  const audit = new AuditLog(auditFile, logger);
  const streams = new OpenStreams();
  const presence = new Presence(join(folder, 'away'));
  const subject = 'https://desk.example';
  const keysFile = join(folder, 'push-keys.json');
  const pushOptions = { keysFile, devices, isWatched: () => false, subject, logger };
  const push = hasPush ? await PushSender.open(pushOptions) : undefined;
  const pushNote = hasPush ? undefined : 'Push needs https';
  const notes = () => ['a note'];
  const shared = { control, devices, audit, streams, push, pushNote, presence, notes };
  const server = await startServer(
    { host: '127.0.0.1', port: 0, publicUrl: undefined, tls: undefined },
    { ...shared, rights: ALL_RIGHTS, roots: ['/root'] },
    logger,
  );
  onTestFinished(() => server.close());
  const { url } = server;

  /** Pairs a device and returns its requests. */
  const pair = async (name = 'phone', rights: readonly RemoteRight[] = ALL_RIGHTS) => {
    const paired = await devices.pair(devices.createCode(), name, rights);
    const token = paired?.token ?? '';
    const authorization = `Bearer ${token}`;
    const ask = async (path: string, init: RequestInit): Promise<[number, Answer]> => {
      const answer = await fetch(url + path, init);
      return [answer.status, JSON.parse(await answer.text())];
    };
    return {
      id: paired?.device.id ?? '',
      authorization,
      get: (path: string) => ask(path, { headers: { authorization } }),
      post: (path: string, body: object | undefined = {}, more: Record<string, string> = {}) =>
        ask(path, {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json', ...more },
          body: JSON.stringify(body),
        }),
    };
  };

  /** Returns what the audit log says, without its times. */
  const audited = async (): Promise<Answer[]> => {
    await audit.close();
    const text = readFileSync(auditFile, 'utf8').trim();
    return text.split('\n').map((line) => {
      const { at: _, ...entry } = JSON.parse(line);
      return entry;
    });
  };
  return { url, devices, presence, streams, lines, pair, audited };
}
