import type { JSX } from 'preact';
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'preact/hooks';
import { revealControls } from '../../../web/reveal-controls.js';
import { isAnswer } from '../../session/is-answer.js';
import type { PageMessage } from '../client/page-message.js';
import { Conversation, type ConversationItem } from '../model/fold-entries.js';
import { searchItems } from '../model/search-items.js';
import { addressOf } from '../model/session-address.js';
import { findResumed } from '../model/session-words.js';
import { Composer } from './composer.js';
import { EntryView } from './entry-view.js';
import { FoundRows } from './found-rows.js';
import { JumpLink } from './jump-link.js';
import { MarkdownView } from './markdown-view.js';
import { useRemote } from './remote-context.js';
import { SECOND_TAP_MS } from './request-card.js';
import { SessionBar } from './session-bar.js';
import { SlowButton } from './slow-button.js';

const ROWS_AT_ONCE = 120;
/** Time between two drawings while the entries of a session come. */
const REDRAW_MS = 200;
/** Distance from the end of the page within which new rows are followed. */
const NEAR_END_PIXELS = 160;

/** The session that the page shows. */
export interface ShownSession {
  readonly id: string;
  readonly conversation: Conversation;
  readonly listener: (message: PageMessage) => void;
}

interface SessionViewProps {
  readonly id: string;
  /** Calls the listener for each message about this session. Returns a function that ends this. */
  readonly listen: (shown: ShownSession) => () => void;
}

/** Shows one session: its conversation, what needs an answer, and the field for a prompt. */
export function SessionView({ id, listen }: SessionViewProps): JSX.Element {
  const { sessions, act, mayStart } = useRemote();
  const conversation = useMemo(() => new Conversation(), [id]);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [preview, setPreview] = useState({ text: '', thought: '' });
  const [wanted, setWanted] = useState('');
  const [count, setCount] = useState(ROWS_AT_ONCE);
  /** The rows that are there at first are not read out. */
  const [isLoading, setLoading] = useState(true);
  const isNearEnd = useRef(true);
  /** Key of the row to which the person wants to jump. */
  const wantedRow = useRef<string | undefined>(undefined);
  /** Distance from the end of the page at which the person is to stay, although rows come above. */
  const stayAt = useRef<number | undefined>(undefined);
  /** True while a request is on the screen: a page that moves would bring another button under the finger. */
  const isHeld = useRef(false);
  const release = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const session = sessions.find((known) => known.id === id);

  // The stream of the session starts in an effect, and must find the conversation of this session then.
  useLayoutEffect(() => {
    setPreview({ text: '', thought: '' });
    let isLive = false;
    let drawnAtMs = Number.NEGATIVE_INFINITY;
    const listener = (message: PageMessage): void => {
      if (message.type === 'entries') {
        conversation.accept(message.entries);
        // The text that was written has become an entry. What is still being written comes again.
        if (message.entries.some(({ content }) => isAnswer(content)))
          setPreview((before) => ({ ...before, text: '' }));
      }
      // The end of a preview may have come while the line was cut.
      if (message.type === 'hello') setPreview({ text: '', thought: '' });
      if (message.type === 'preview')
        setPreview((before) => ({ ...before, [message.kind]: message.text }));
      // A long session comes in many pieces, and `live` after the last one.
      if (message.type === 'hello') {
        isLive = false;
        conversation.begin(message.run);
      }
      if (message.type === 'live') isLive = true;
      if (isLive) setLoading(false);
      const now = performance.now();
      if (message.type === 'entries' && !isLive && now - drawnAtMs < REDRAW_MS) return;
      drawnAtMs = now;
      redraw(undefined);
    };
    return listen({ id, conversation, listener });
  }, [id, conversation, listen]);
  useEffect(() => {
    const onScroll = (): void => {
      const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
      isNearEnd.current = scrollHeight - clientHeight - scrollTop < NEAR_END_PIXELS;
    };
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => window.removeEventListener('scroll', onScroll);
  }, []);
  useLayoutEffect(() => {
    const row = wantedRow.current && document.getElementById(idOfRow(wantedRow.current));
    if (row) {
      wantedRow.current = undefined;
      row.scrollIntoView({ block: 'center' });
      row.focus({ preventScroll: true });
    } else if (stayAt.current !== undefined) {
      window.scrollTo(0, document.documentElement.scrollHeight - stayAt.current);
      stayAt.current = undefined;
    } else if (isNearEnd.current && !isHeld.current)
      window.scrollTo(0, document.documentElement.scrollHeight);
  });

  const holdPage = useCallback((isSeen: boolean): void => {
    clearTimeout(release.current);
    if (isSeen) isHeld.current = true;
    else
      release.current = setTimeout(() => {
        isHeld.current = false;
        redraw(undefined);
      }, SECOND_TAP_MS);
  }, []);
  const onWithdraw = useCallback(
    (promptId: string): void => void act(`/api/sessions/${id}/withdraw`, { promptId }),
    [act, id],
  );
  const clear = (): void => setWanted('');
  const resumed = findResumed(id, sessions);
  useEffect(() => {
    if (resumed !== undefined) location.replace(addressOf(resumed));
  }, [resumed]);
  if (session === undefined)
    return (
      <main class="empty" tabIndex={-1} aria-label="Session">
        The session is not there, or still loading.
      </main>
    );
  const found = searchItems(conversation.items, wanted);
  const shown = found.slice(-count);
  const openAt = conversation.items.findIndex(
    (item) => item.type === 'request' && item.decision === undefined,
  );
  const open = conversation.items[openAt];
  /** Shows the row of the open request, whatever hides it, and goes there. */
  const jump = (event: Event): void => {
    event.preventDefault();
    if (open === undefined) return;
    wantedRow.current = open.key;
    isNearEnd.current = false;
    if (!found.includes(open)) clear();
    setCount(Math.max(count, conversation.items.length - openAt));
    redraw(undefined);
  };
  const showEarlier = (): void => {
    const { scrollHeight, scrollTop } = document.documentElement;
    stayAt.current = scrollHeight - scrollTop;
    isNearEnd.current = false;
    setCount(count * 2);
  };
  return (
    <main class="conversation" tabIndex={-1} aria-label="Session">
      <SessionBar session={session} wanted={wanted} onSearch={setWanted} />
      {found.length > shown.length && (
        <button type="button" class="more" onClick={showEarlier}>
          Show earlier rows, {found.length - shown.length} left
        </button>
      )}
      {wanted.trim() !== '' && <FoundRows count={found.length} wanted={wanted} clear={clear} />}
      <div
        class="rows-of-session"
        role="log"
        aria-label="Conversation"
        aria-live={isLoading || wanted.trim() !== '' ? 'off' : 'polite'}
      >
        {shown.map((item) => (
          <Row key={item.key} item={item} onWithdraw={onWithdraw} />
        ))}
        {preview.thought !== '' && (
          <p class="remark thinking" aria-live="off">
            {revealControls(preview.thought)}
          </p>
        )}
        {preview.text !== '' && (
          <article
            class="message is-assistant is-preview"
            aria-label="Gemini is writing"
            aria-live="off"
          >
            <MarkdownView text={preview.text} />
          </article>
        )}
      </div>
      {session.notes.map((note) => (
        <p key={note} class="remark">
          {revealControls(note)}
        </p>
      ))}
      {session.state === 'ended' && session.capabilities.takeOver && mayStart && (
        <SlowButton
          label="Resume here"
          busyLabel="Resuming…"
          path={`/api/sessions/${id}/take-over`}
          isMain
        />
      )}
      <div class="foot">
        {open !== undefined && (
          <JumpLink
            rowId={idOfRow(open.key)}
            isDrawn={shown.includes(open)}
            onJump={jump}
            onSeen={holdPage}
          />
        )}
        <Composer session={session} />
      </div>
    </main>
  );
}

function idOfRow(key: string): string {
  return key.replace(' ', '-');
}

interface RowProps {
  readonly item: ConversationItem;
  readonly onWithdraw: (promptId: string) => void;
}

/** A row of the conversation. It is drawn again when it has changed: a page may show thousands of rows while a text is written. */
function Row({ item, onWithdraw }: RowProps): JSX.Element {
  return useMemo(() => <EntryView item={item} actions={{ onWithdraw }} />, [item, onWithdraw]);
}
