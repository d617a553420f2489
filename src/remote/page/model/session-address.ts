import type { RemoteSession } from '../../../api/remote-session.js';

const START = '#/session/';

/** Returns the address of a session within the page. */
export function addressOf({ id }: Pick<RemoteSession, 'id'>): string {
  return START + encodeURIComponent(id);
}

/** Returns the id of the session that an address names. Undefined for any other address, and for one that is damaged. */
export function sessionIdOfAddress(address: string): string | undefined {
  if (!address.startsWith(START)) return undefined;
  try {
    return decodeURIComponent(address.slice(START.length));
  } catch {
    return undefined;
  }
}
