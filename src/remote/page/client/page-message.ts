import type { RemoteEntry } from '../../../api/remote-entry.js';
import type { RemoteDevice } from '../../../api/remote-options.js';
import type { RemoteRule } from '../../../api/remote-request.js';
import type { RemoteSession } from '../../../api/remote-session.js';
import type { ListedSessions } from './past-list.js';
import type { PreviewPart } from './preview-texts.js';

/** Facts about the server and this device. */
export interface PageServer {
  readonly device: RemoteDevice;
  readonly roots: readonly string[];
  readonly isAway: boolean;
  readonly notes: readonly string[];
  readonly pushKey?: string | undefined;
  readonly pushNote?: string | undefined;
  /** True if the server has an address under which it calls this device. */
  readonly isCalled: boolean;
}

/** Message of the event stream. */
export type PageMessage =
  | {
      readonly type: 'hello';
      readonly streamId: string;
      /** Id of the run of the server: numbers of entries hold within one run. */
      readonly run: string;
      readonly server: PageServer;
      readonly sessions: readonly RemoteSession[];
      readonly rules: readonly RemoteRule[];
    }
  | { readonly type: 'presence'; readonly isAway: boolean }
  | { readonly type: 'session'; readonly session: RemoteSession }
  | {
      readonly type: 'entries';
      readonly sessionId: string;
      readonly entries: readonly RemoteEntry[];
    }
  | { readonly type: 'other-entry'; readonly sessionId: string; readonly entry: RemoteEntry }
  | { readonly type: 'live'; readonly sessionId: string }
  | {
      readonly type: 'preview';
      readonly sessionId: string;
      readonly kind: 'text' | 'thought';
      /** The whole text so far. */
      readonly text: string;
    };

/** Message as the server sends it: without what the page has already. */
export type SentMessage =
  | Exclude<PageMessage, { readonly type: 'hello' | 'preview' }>
  | (Extract<PageMessage, { readonly type: 'hello' }> & ListedSessions & { readonly now: string })
  | (Omit<Extract<PageMessage, { readonly type: 'preview' }>, 'text'> & PreviewPart);
