import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { existsSync } from 'node:fs';
import { z } from 'zod';
import type { RemoteDevice, RemoteRight } from '../../api/remote-options.js';
import { writeAtomically } from '../../base/fs/write-atomically.js';
import { readJson } from '../state/read-json.js';

const CODE_MS = 2 * 60 * 1000;
const TOKEN_MS = 90 * 24 * 60 * 60 * 1000;
const MOST_CODES = 8;
const MOST_DEVICES = 50;
/** Requests of a device are noted at most this often. */
const SEEN_MS = 60_000;

const RIGHTS = ['watch', 'approve', 'prompt', 'start'] as const;

const storedDevice = z.object({
  id: z.uuid(),
  name: z.string(),
  rights: z.array(z.enum(RIGHTS)),
  pairedAt: z.iso.datetime(),
  seenAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  tokenHash: z.string().regex(/^[0-9a-f]{64}$/),
  push: z.unknown().optional(),
});
const storedDevices = z.object({ devices: z.array(z.unknown()) });

type StoredDevice = z.infer<typeof storedDevice>;

export const ALL_RIGHTS: readonly RemoteRight[] = RIGHTS;

/** Paired devices. A token is kept as its hash alone, so that a copy of the file opens nothing. */
export class DeviceStore {
  readonly #file: string;
  readonly #devices: Map<string, StoredDevice>;
  /** Hashes of one-time codes, and the time until which each holds. */
  readonly #codes = new Map<string, number>();
  #writing: Promise<void> = Promise.resolve();

  /** Remark for the person about devices that were lost. */
  readonly note: string | undefined;

  static async open(file: string): Promise<DeviceStore> {
    const stored = storedDevices.safeParse(readJson(file)).data?.devices;
    // A device that is damaged is left out: it must not unpair the others, or keep the server from comparing tokens.
    const devices = (stored ?? []).flatMap((device) => storedDevice.safeParse(device).data ?? []);
    const isWhole = devices.length === stored?.length || !existsSync(file);
    return new DeviceStore(file, devices, isWhole);
  }

  private constructor(file: string, devices: readonly StoredDevice[], isWhole: boolean) {
    this.#file = file;
    this.#devices = new Map(devices.map((device) => [device.id, device]));
    if (!isWhole)
      this.note = `The file of the paired devices cannot be read, or is damaged: ${file}. Devices that are missing have to be paired again.`;
  }

  /** Returns a new one-time code. */
  createCode(): string {
    const code = randomBytes(16).toString('base64url');
    this.#codes.set(hash(code), performance.now() + CODE_MS);
    const [oldest] = this.#codes.keys();
    if (this.#codes.size > MOST_CODES && oldest !== undefined) this.#codes.delete(oldest);
    return code;
  }

  /**
   * Exchanges a code for a token. The code is used up, unless the device cannot be stored. Returns undefined for a code that is
   * wrong, used or too old.
   */
  async pair(
    code: string,
    name: string,
    rights: readonly RemoteRight[],
  ): Promise<{ readonly token: string; readonly device: RemoteDevice } | undefined> {
    const codeHash = hash(code);
    const until = this.#codes.get(codeHash);
    this.#codes.delete(codeHash);
    if (until === undefined || until < performance.now()) return undefined;
    const token = randomBytes(32).toString('base64url');
    const now = new Date();
    const device: StoredDevice = {
      id: randomUUID(),
      name,
      rights: [...rights],
      pairedAt: now.toISOString(),
      seenAt: now.toISOString(),
      expiresAt: new Date(now.getTime() + TOKEN_MS).toISOString(),
      tokenHash: hash(token),
    };
    this.#devices.set(device.id, device);
    const [oldest] = this.#devices.values();
    const dropped = this.#devices.size > MOST_DEVICES ? oldest : undefined;
    if (dropped !== undefined) this.#devices.delete(dropped.id);
    try {
      await this.#write();
    } catch (error) {
      this.#devices.delete(device.id);
      if (dropped !== undefined) this.#devices.set(dropped.id, dropped);
      this.#codes.set(codeHash, until);
      throw error;
    }
    return { token, device: describe(device) };
  }

  /** Returns the device of a token. Compares all hashes in the same time, whatever they are. */
  authenticate(token: string): RemoteDevice | undefined {
    const wanted = Buffer.from(hash(token));
    let found: StoredDevice | undefined;
    for (const device of this.#devices.values())
      if (timingSafeEqual(Buffer.from(device.tokenHash), wanted)) found = device;
    if (found === undefined || Date.parse(found.expiresAt) < Date.now()) return undefined;
    if (Date.now() - Date.parse(found.seenAt) > SEEN_MS) {
      found.seenAt = new Date().toISOString();
      void this.#write().catch(() => {});
    }
    return describe(found);
  }

  /** True if the pairing of a device still holds. */
  isPaired(id: string): boolean {
    const device = this.#devices.get(id);
    return device !== undefined && Date.parse(device.expiresAt) >= Date.now();
  }

  list(): readonly RemoteDevice[] {
    return [...this.#devices.values()].map(describe);
  }

  async revoke(id: string): Promise<boolean> {
    if (!this.#devices.delete(id)) return false;
    await this.#write();
    return true;
  }

  /** Keeps or removes the push subscription of a device. */
  async setPush(id: string, subscription: unknown): Promise<void> {
    const device = this.#devices.get(id);
    if (device === undefined) return;
    device.push = subscription;
    await this.#write();
  }

  /** Removes a push subscription, unless the device has given another one meanwhile. */
  async dropPush(id: string, subscription: unknown): Promise<void> {
    if (this.#devices.get(id)?.push === subscription) await this.setPush(id, undefined);
  }

  /** Push subscriptions of all paired devices, as they were given. */
  pushTargets(): readonly { readonly id: string; readonly subscription: unknown }[] {
    return [...this.#devices.values()].flatMap(({ id, push }) =>
      push === undefined || !this.isPaired(id) ? [] : [{ id, subscription: push }],
    );
  }

  #write(): Promise<void> {
    const text = JSON.stringify({ devices: [...this.#devices.values()] }, undefined, 2);
    this.#writing = this.#writing
      .catch(() => {})
      .then(() => writeAtomically(this.#file, text, 0o600));
    return this.#writing;
  }
}

function describe({ tokenHash: _, push: __, ...device }: StoredDevice): RemoteDevice {
  return device;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
