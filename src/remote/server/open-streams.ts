import type { EventStream } from './event-stream.js';

/**
 * Time for which a device counts as looking at a session after its last sign. A phone that fell asleep, or lost its line, gives no
 * further sign, although its connection may look open for many minutes.
 */
const LOOKING_MS = 60_000;

/** Most streams of one device: its tabs, and lines that it has lost. */
const MOST_STREAMS = 20;

interface OpenStream {
  readonly stream: EventStream;
  readonly deviceId: string;
  readonly sessionId: string | undefined;
  /** Time of the last sign that a person looks at the stream. Undefined while the page is hidden. */
  lookedAtMs: number | undefined;
}

/** The event streams of all devices: whose they are, and which sessions are looked at. */
export class OpenStreams {
  readonly #streams = new Map<string, OpenStream>();

  /** Adds a stream. A device that has too many loses its oldest one: a line that was lost may look open for many minutes. */
  add(
    id: string,
    stream: EventStream,
    deviceId: string,
    sessionId: string | undefined,
    isLooking: boolean,
  ): void {
    const others = [...this.#streams.values()].filter((open) => open.deviceId === deviceId);
    if (others.length >= MOST_STREAMS) others[0]?.stream.close();
    const lookedAtMs = isLooking ? performance.now() : undefined;
    this.#streams.set(id, { stream, deviceId, sessionId, lookedAtMs });
  }

  remove(id: string): void {
    this.#streams.delete(id);
  }

  /** Takes the sign of a device that a person looks at its page, or no longer does. Returns false for a stream that is not open. */
  look(id: string, deviceId: string, isLooking: boolean): boolean {
    const open = this.#streams.get(id);
    if (open?.deviceId !== deviceId) return false;
    open.lookedAtMs = isLooking ? performance.now() : undefined;
    return true;
  }

  /** True if a device shows this session to a person. */
  isWatched(sessionId: string): boolean {
    const now = performance.now();
    return [...this.#streams.values()].some(
      ({ sessionId: shown, lookedAtMs }) =>
        shown === sessionId && lookedAtMs !== undefined && now - lookedAtMs < LOOKING_MS,
    );
  }

  /** Sends a message to all devices. */
  send(message: object): void {
    for (const { stream } of this.#streams.values()) stream.send(message);
  }

  /** Ends the streams of a device that is no longer paired. */
  closeDevice(deviceId: string): void {
    for (const { stream, deviceId: owner } of [...this.#streams.values()])
      if (owner === deviceId) stream.close();
  }
}
