import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { z } from 'zod';
import type { Logger } from '../../api/logger.js';
import type { RemoteChange } from '../../api/remote-control.js';
import type { RemoteSession, RemoteState } from '../../api/remote-session.js';
import { messageOf } from '../../base/errors/message-of.js';
import { writeAtomically } from '../../base/fs/write-atomically.js';
import { cleanName } from '../../base/text/clean-text.js';
import { readJson } from '../state/read-json.js';
import type { DeviceStore } from './device-store.js';
import { deliverPush } from './push-delivery.js';
import { subscriptionBody } from './request-bodies.js';

const TTL_SECONDS = 60 * 60;
const keyPair = z.object({ publicKey: z.string(), privateKey: z.string() });

export interface PushOptions {
  readonly keysFile: string;
  readonly devices: DeviceStore;
  /** True if a device has this session on its screen. */
  readonly isWatched: (sessionId: string) => boolean;
  /** Contact for the push service, as its protocol demands: an address of the server. */
  readonly subject: string;
  readonly logger: Logger;
}

interface KnownSession {
  readonly folder: string;
  readonly state: RemoteState;
  readonly openRequests: number;
  /** The turn had an error, about which the person was called. */
  readonly hasFailed: boolean;
}

/** Reasons for which a person is called. */
const TITLES = {
  ask: 'A session needs you',
  done: 'A session is ready',
  error: 'A session has an error',
} as const;

/**
 * Calls the person by Web Push if a session asks, ends or fails while no device shows it. The message has the name of the
 * folder and nothing of the conversation.
 */
export class PushSender {
  readonly #options: PushOptions;
  readonly #keys: z.infer<typeof keyPair>;
  /** What is known about each session from its last change. */
  readonly #known = new Map<string, KnownSession>();
  /** Messages that are on their way, by device and session. */
  readonly #sending = new Map<string, AbortController>();
  /** Why the last message to a device was not delivered. */
  readonly #problems = new Map<string, string>();

  static async open(options: PushOptions): Promise<PushSender> {
    const { default: webPush } = await import('web-push');
    const known = keyPair.safeParse(readJson(options.keysFile)).data;
    const keys = known ?? webPush.generateVAPIDKeys();
    if (known === undefined) await writeAtomically(options.keysFile, JSON.stringify(keys), 0o600);
    return new PushSender(options, keys);
  }

  private constructor(options: PushOptions, keys: z.infer<typeof keyPair>) {
    this.#options = options;
    this.#keys = keys;
  }

  /** Public key that a browser needs for a subscription. */
  get publicKey(): string {
    return this.#keys.publicKey;
  }

  /** Remarks for the person: devices that cannot be called, and why. */
  get notes(): readonly string[] {
    const { devices } = this.#options;
    const called = new Set(devices.pushTargets().map(({ id }) => id));
    return devices.list().flatMap(({ id, name }) => {
      const problem = called.has(id) ? this.#problems.get(id) : undefined;
      return problem === undefined ? [] : [`${name} was not called: ${problem}`];
    });
  }

  /** Ends the repeating of messages that were not accepted. */
  close(): void {
    for (const sending of this.#sending.values()) sending.abort();
  }

  /** Looks at a change and calls the person if it is worth it. */
  onChange(change: RemoteChange): void {
    if (change.type === 'session') this.#onSession(change.session);
    if (change.type !== 'entry') return;
    const { content } = change.entry;
    if (content.type !== 'notice' || content.level !== 'error') return;
    const known = this.#known.get(change.sessionId);
    if (known !== undefined) this.#known.set(change.sessionId, { ...known, hasFailed: true });
    this.#call(change.sessionId, 'error');
  }

  #onSession({ id, folder, state, openRequests }: RemoteSession): void {
    const before = this.#known.get(id);
    const hasFailed =
      before?.hasFailed === true && !(state === 'working' && before.state !== state);
    this.#known.set(id, { folder, state, openRequests, hasFailed });
    // A request that a rule answers is never open, so its session does not change.
    if (openRequests > (before?.openRequests ?? 0)) this.#call(id, 'ask');
    const isOver = state === 'ready' || state === 'ended';
    // The push service keeps the last message of a session: the end of a turn must not hide its error.
    if (before?.state === 'working' && isOver && !hasFailed) this.#call(id, 'done');
  }

  #call(sessionId: string, reason: keyof typeof TITLES): void {
    if (this.#options.isWatched(sessionId)) return;
    const body = cleanName(basename(this.#known.get(sessionId)?.folder ?? ''));
    const payload = JSON.stringify({ title: TITLES[reason], body, sessionId });
    for (const { id, subscription } of this.#options.devices.pushTargets())
      void this.#send(id, subscription, payload, sessionId);
  }

  async #send(deviceId: string, value: unknown, payload: string, sessionId: string): Promise<void> {
    const { data } = subscriptionBody.safeParse(value);
    if (data === undefined) return;
    const { endpoint, keys } = data;
    const { default: webPush } = await import('web-push');
    // A topic replaces an older message of the same session that is still on its way.
    const topic = createHash('sha256').update(sessionId).digest('base64url').slice(0, 32);
    const { logger, subject } = this.#options;
    const way = `${deviceId} ${sessionId}`;
    const sending = new AbortController();
    this.#sending.get(way)?.abort();
    this.#sending.set(way, sending);
    try {
      const prepare = () => {
        const vapidDetails = { subject, ...this.#keys };
        const options = { TTL: TTL_SECONDS, topic, urgency: 'high' as const, vapidDetails };
        return webPush.generateRequestDetails({ endpoint, keys }, payload, options);
      };
      const outcome = await deliverPush(prepare, sending.signal);
      if (outcome.type === 'failed') {
        this.#problems.set(deviceId, outcome.problem);
        logger.warn({ deviceId, problem: outcome.problem }, 'A push message was not delivered');
      } else if (outcome.type !== 'replaced') this.#problems.delete(deviceId);
      if (outcome.type === 'ended') await this.#drop(deviceId, value);
    } catch (error) {
      this.#problems.set(
        deviceId,
        `its subscription cannot be used (${messageOf(error)}). Turn push messages off and on again on the device.`,
      );
      logger.error({ deviceId, error: messageOf(error) }, 'A push message could not be sent');
    } finally {
      if (this.#sending.get(way) === sending) this.#sending.delete(way);
    }
  }

  async #drop(deviceId: string, value: unknown): Promise<void> {
    const { devices, logger } = this.#options;
    await devices.dropPush(deviceId, value).catch((error: unknown) => {
      logger.error({ deviceId, error: messageOf(error) }, 'A push subscription cannot be removed');
    });
  }
}
