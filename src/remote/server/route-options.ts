import type { RemoteControl } from '../../api/remote-control.js';
import type { RemoteRight } from '../../api/remote-options.js';
import type { AuditLog } from './audit-log.js';
import type { DeviceStore } from './device-store.js';
import type { OpenStreams } from './open-streams.js';
import type { PushSender } from './push-sender.js';

/** Parts of the server that its routes use. */
export interface RouteOptions {
  readonly control: RemoteControl;
  readonly devices: DeviceStore;
  readonly audit: AuditLog;
  readonly streams: OpenStreams;
  readonly rights: readonly RemoteRight[];
  /** Folders in which a session may be started, for the list of the page. */
  readonly roots: readonly string[];
  readonly push: PushSender | undefined;
  /** Why push messages are off. */
  readonly pushNote: string | undefined;
  readonly presence: { isAway(): boolean; set(isAway: boolean): Promise<void> };
  readonly notes: () => readonly string[];
}
