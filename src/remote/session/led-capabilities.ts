import type { RemoteCapabilities } from '../../api/remote-session.js';
import { NO_CAPABILITIES } from './no-capabilities.js';

/** Capabilities of a session that a driver leads. Where the session can be moved to depends on the driver. */
export const LED_CAPABILITIES: RemoteCapabilities = {
  ...NO_CAPABILITIES,
  prompt: true,
  allow: true,
  deny: true,
  interrupt: true,
  mode: true,
  model: true,
  liveText: true,
  end: true,
};
