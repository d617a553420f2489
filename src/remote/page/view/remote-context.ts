import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { RemoteRule } from '../../../api/remote-request.js';
import type { RemoteSession } from '../../../api/remote-session.js';
import type { PageServer } from '../client/page-message.js';
import type { RemoteClient } from '../client/remote-client.js';

/** What every part of the page may use. */
export interface RemoteContextValue {
  readonly client: RemoteClient;
  readonly server: PageServer | undefined;
  readonly sessions: readonly RemoteSession[];
  readonly rules: readonly RemoteRule[];
  readonly isAway: boolean;
  readonly isConnected: boolean;
  /** Time of the server, of the present minute. Undefined before the server has told it. */
  readonly nowMs: number | undefined;
  readonly mayApprove: boolean;
  readonly mayPrompt: boolean;
  readonly mayStart: boolean;
  /** Sends a request and shows what the server refuses. */
  readonly act: (path: string, body: object) => Promise<boolean>;
}

const RemoteContext = createContext<RemoteContextValue | undefined>(undefined);

/** Provides the context to the parts of the page. */
export const RemoteProvider = RemoteContext.Provider;

export function useRemote(): RemoteContextValue {
  const value = useContext(RemoteContext);
  if (value === undefined) throw new Error('The page has no connection');
  return value;
}
