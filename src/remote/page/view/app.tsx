import type { JSX } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { RemoteRule } from '../../../api/remote-request.js';
import type { RemoteSession } from '../../../api/remote-session.js';
import { revealControls } from '../../../web/reveal-controls.js';
import { compareSessions } from '../../session/compare-sessions.js';
import type { PageMessage, PageServer } from '../client/page-message.js';
import type { KnownEntries, RemoteClient } from '../client/remote-client.js';
import { addressOf, sessionIdOfAddress } from '../model/session-address.js';
import { NewSession } from './new-session.js';
import { type RemoteContextValue, RemoteProvider } from './remote-context.js';
import { SessionList } from './session-list.js';
import { SessionView, type ShownSession } from './session-view.js';
import { Settings } from './settings.js';

/** Time after which the ages of questions and sessions are drawn again. */
const MINUTE_MS = 60_000;
/** Time between two signs that a person looks at the page. */
const LOOKING_MS = 20_000;

/** The page: one connection for all its parts, and the part that the address names. */
export function App({ client }: { readonly client: RemoteClient }): JSX.Element {
  const route = useRoute();
  const [server, setServer] = useState<PageServer | undefined>();
  const [sessions, setSessions] = useState<readonly RemoteSession[]>([]);
  const [rules, setRules] = useState<readonly RemoteRule[]>([]);
  const [isAway, setAway] = useState(false);
  const [isConnected, setConnected] = useState(true);
  const [problem, setProblem] = useState<string | undefined>();
  const [nowMs, setNowMs] = useState<number | undefined>();
  const shown = useRef<ShownSession | undefined>(undefined);
  const sessionId = sessionIdOfAddress(route);

  const onMessage = useCallback(
    (message: PageMessage): void => {
      switch (message.type) {
        case 'hello':
          setServer(message.server);
          setNowMs(client.clock.nowMs());
          setSessions(message.sessions);
          setRules(message.rules);
          setAway(message.server.isAway);
          break;
        case 'presence':
          setAway(message.isAway);
          break;
        case 'session':
          setSessions((known) => [
            message.session,
            ...known.filter(({ id }) => id !== message.session.id),
          ]);
          break;
        case 'entries':
          for (const { content } of message.entries) {
            if (content.type === 'rule')
              setRules((known) => changeRules(known, content.rule, content.isRevoked));
          }
          break;
        default:
          break;
      }
      // A stream that is being closed may still report the session that was shown before.
      if (!('sessionId' in message) || message.sessionId === shown.current?.id)
        shown.current?.listener(message);
    },
    [client],
  );
  useEffect(() => {
    const timer = setInterval(() => setNowMs(client.clock.nowMs()), MINUTE_MS);
    return () => clearInterval(timer);
  }, [client]);
  useVisibleStream(client, sessionId, shown, onMessage, setConnected);
  const listen = useCallback((next: ShownSession) => {
    shown.current = next;
    return () => {
      // The view of the next session may have come before this one has gone.
      if (shown.current === next) shown.current = undefined;
    };
  }, []);
  const act = useCallback(
    async (path: string, body: object): Promise<boolean> => {
      try {
        setProblem(undefined);
        await client.post(path, body);
        return true;
      } catch (error) {
        setProblem(error instanceof Error ? error.message : String(error));
        return false;
      }
    },
    [client],
  );
  const rights = server?.device.rights ?? [];
  const context = useMemo<RemoteContextValue>(
    () => ({
      client,
      server,
      sessions: [...sessions].sort(compareSessions),
      rules,
      isAway,
      isConnected,
      nowMs,
      mayApprove: rights.includes('approve'),
      mayPrompt: rights.includes('prompt'),
      mayStart: rights.includes('start'),
      act,
    }),
    [client, server, sessions, rules, isAway, isConnected, nowMs, act],
  );
  const waiting = sessions.reduce((sum, { openRequests }) => sum + openRequests, 0);
  const next = sessions.find(({ id, openRequests }) => openRequests > 0 && id !== sessionId);
  useEffect(() => {
    document.title = waiting > 0 ? `(${waiting}) Gemini sessions` : 'Gemini sessions';
  }, [waiting]);
  usePlaceOf(route, sessionId);
  // What was refused belongs to the part of the page that has asked for it.
  useEffect(() => setProblem(undefined), [route]);
  return (
    <RemoteProvider value={context}>
      <header class="top">
        <h1 class="brand">
          <a href="#/">Gemini sessions</a>
        </h1>
        <span class="line" role="status">
          {describeLine(isConnected, server, isAway)}
        </span>
        {next !== undefined && (
          <a
            class="button is-waiting"
            href={addressOf(next)}
            aria-label={`Session that needs you: ${nameOf(next)}`}
          >
            ✋
          </a>
        )}
        <span class="sr-only" role="status">
          {next === undefined ? '' : `${nameOf(next)} needs you`}
        </span>
        <a class="button" href="#/settings" aria-label="Settings">
          ⚙
        </a>
        <button id="theme" type="button" />
      </header>
      {problem !== undefined && (
        <p class="notice is-error problem" role="alert">
          <span>{revealControls(problem)}</span>
          <button type="button" onClick={() => setProblem(undefined)}>
            Close
          </button>
        </p>
      )}
      {route === '#/new' ? (
        <NewSession />
      ) : route === '#/settings' ? (
        <Settings />
      ) : sessionId === undefined ? (
        <SessionList />
      ) : (
        <SessionView key={sessionId} id={sessionId} listen={listen} />
      )}
    </RemoteProvider>
  );
}

/** Says whether the page has a line, and where the person is. */
function describeLine(
  isConnected: boolean,
  server: PageServer | undefined,
  isAway: boolean,
): string {
  if (!isConnected) return 'no connection, trying again…';
  if (server === undefined) return 'connecting…';
  return isAway ? 'away' : 'at the desk';
}

function nameOf({ title, folder }: RemoteSession): string {
  return revealControls(title ?? folder);
}

/** Begins a new part of the page at its top, and tells a screen reader that it is there. A session begins at its end. */
function usePlaceOf(route: string, sessionId: string | undefined): void {
  const before = useRef(route);
  useLayoutEffect(() => {
    if (before.current === route) return;
    before.current = route;
    if (sessionId === undefined) window.scrollTo(0, 0);
    document.querySelector('main')?.focus({ preventScroll: true });
  }, [route, sessionId]);
}

function useRoute(): string {
  const [route, setRoute] = useState(location.hash);
  useEffect(() => {
    const onChange = (): void => setRoute(location.hash);
    window.addEventListener('hashchange', onChange);
    return () => window.removeEventListener('hashchange', onChange);
  }, []);
  return route;
}

/**
 * Follows the server. The stream is opened again when the page is shown, because a phone may have closed the line meanwhile. The
 * server is told whether a person looks: it calls the person only about sessions that no device shows.
 */
function useVisibleStream(
  client: RemoteClient,
  sessionId: string | undefined,
  shown: { readonly current: ShownSession | undefined },
  onMessage: (message: PageMessage) => void,
  onLine: (isConnected: boolean) => void,
): void {
  useEffect(() => {
    let streamId: string | undefined;
    const take = (message: PageMessage): void => {
      if (message.type === 'hello') streamId = message.streamId;
      onMessage(message);
    };
    const look = (isLooking: boolean): void => {
      if (streamId !== undefined) client.look(streamId, isLooking);
    };
    const known = (): KnownEntries => {
      const { id, conversation } = shown.current ?? {};
      return conversation !== undefined && id === sessionId
        ? conversation
        : { lastSeq: 0, run: undefined };
    };
    const follow = (): (() => void) => client.follow(sessionId, known, take, onLine);
    let stop = follow();
    const onVisible = (): void => {
      if (document.hidden) look(false);
      else {
        stop();
        stop = follow();
      }
    };
    const timer = setInterval(() => !document.hidden && look(true), LOOKING_MS);
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      document.removeEventListener('visibilitychange', onVisible);
      clearInterval(timer);
      stop();
    };
  }, [client, sessionId, shown, onMessage, onLine]);
}

function changeRules(
  known: readonly RemoteRule[],
  rule: RemoteRule,
  isRevoked: boolean,
): readonly RemoteRule[] {
  const others = known.filter(({ id }) => id !== rule.id);
  return isRevoked ? others : [...others, rule];
}
