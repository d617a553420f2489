import type { RemoteCapabilities } from '../../api/remote-session.js';

/** Capabilities of a session without a driver. */
export const NO_CAPABILITIES: RemoteCapabilities = {
  prompt: false,
  allow: false,
  deny: false,
  interrupt: false,
  mode: false,
  model: false,
  liveText: false,
  end: false,
  takeOver: false,
  handBack: false,
};
