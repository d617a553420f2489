import type { Logger } from './logger.js';
import type { ProviderConfig } from './provider-config.js';
import type { RemoteControl } from './remote-control.js';
import type { RemoteEngineOptions, RemoteEngineSession } from './remote-engine.js';

/** What a paired device may do: `watch` sees everything, `approve` answers requests, `prompt` steers, `start` starts and takes over sessions. */
export type RemoteRight = 'watch' | 'approve' | 'prompt' | 'start';

/** A paired phone or browser. */
export interface RemoteDevice {
  /** Id of the device. */
  readonly id: string;
  /** Name that the device has given itself. */
  readonly name: string;
  /** Rights of the device. */
  readonly rights: readonly RemoteRight[];
  /** Time of the pairing, ISO 8601. */
  readonly pairedAt: string;
  /** Time of the last request, ISO 8601. */
  readonly seenAt: string;
  /** Time at which the pairing ends, ISO 8601. */
  readonly expiresAt: string;
}

/** Options of `startRemote`. */
export interface RemoteOptions {
  /**
   * Port of the server. 0 chooses a free one.
   *
   * @defaultValue `0`
   */
  readonly port?: number | undefined;
  /**
   * Address on which the server listens. Any other than loopback needs `tls` or `publicUrl`.
   *
   * @defaultValue `'127.0.0.1'`
   */
  readonly host?: string | undefined;
  /**
   * Address under which devices reach the server: that of a tunnel or a reverse proxy. It must begin with `https://`.
   *
   * @defaultValue none: only a browser on this machine reaches the server
   */
  readonly publicUrl?: string | undefined;
  /**
   * Certificate and key in PEM form, for a server that is reached without a tunnel.
   *
   * @defaultValue none: plain HTTP
   */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /**
   * Folders in which devices may start sessions.
   *
   * @defaultValue the current directory
   */
  readonly roots?: readonly string[] | undefined;
  /**
   * Rights of devices that are paired from now on.
   *
   * @defaultValue all four
   */
  readonly rights?: readonly RemoteRight[] | undefined;
  /**
   * Lets devices switch sessions to the mode `yolo`.
   *
   * @defaultValue `false`
   */
  readonly allowYolo?: boolean | undefined;
  /**
   * Folder for logs, devices and rules. It is closed to other users.
   *
   * @defaultValue a folder in the user's state directory
   */
  readonly state?: string | undefined;
  /**
   * Configuration of sessions that devices start: model, environment, tool rules.
   *
   * @defaultValue the defaults of `GeminiCliProvider`
   */
  readonly config?: ProviderConfig | undefined;
  /**
   * Logger of the server.
   *
   * @defaultValue none
   */
  readonly logger?: Logger | undefined;
}

/** A running remote server. */
export interface Remote {
  /** Address of the server, or `publicUrl`. */
  readonly url: string;
  /** Port on which the server listens. */
  readonly port: number;
  /** The sessions and what can be done with them. */
  readonly control: RemoteControl;
  /** Sentences about what does not work, and why: no tmux, no push, hooks that are not installed. */
  readonly notes: readonly string[];
  /** Returns an address with a new one-time code, which pairs one device within two minutes. */
  pairingUrl(): string;
  /** Returns the paired devices. */
  devices(): readonly RemoteDevice[];
  /** Ends the pairing of a device. Returns false if there is none with this id. */
  revoke(deviceId: string): Promise<boolean>;
  /** Opens a session that the caller leads: devices see its progress and answer what its agents ask. */
  openSession(options: RemoteEngineOptions): Promise<RemoteEngineSession>;
  /** Ends the server. Sessions in tmux live on. */
  close(): Promise<void>;
  /** Same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
