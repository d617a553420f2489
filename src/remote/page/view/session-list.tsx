import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RemoteSession } from '../../../api/remote-session.js';
import { revealControls } from '../../../web/reveal-controls.js';
import { addressOf } from '../model/session-address.js';
import { DRIVER_WORDS, describeUsage, STATE_WORDS } from '../model/session-words.js';
import { Age } from './age.js';
import { useRemote } from './remote-context.js';

const ROWS_AT_ONCE = 50;

/** Shows all sessions: those that need the person first. */
export function SessionList(): JSX.Element {
  const { sessions, mayStart, server } = useRemote();
  const [wanted, setWanted] = useState('');
  const [count, setCount] = useState(ROWS_AT_ONCE);
  const text = wanted.trim().toLowerCase();
  const found = sessions.filter(({ title = '', folder }) =>
    `${title} ${folder}`.toLowerCase().includes(text),
  );
  return (
    <main tabIndex={-1} aria-label="Sessions">
      <div class="bar">
        <input
          type="search"
          placeholder="Search sessions"
          aria-label="Search sessions"
          value={wanted}
          onInput={({ currentTarget }) => setWanted(currentTarget.value)}
        />
        {mayStart && (
          <a class="button is-main" href="#/new">
            New session
          </a>
        )}
      </div>
      {found.length === 0 && (
        <p class="empty">
          {server === undefined
            ? 'Waiting for the desk…'
            : `There are no sessions${text === '' ? ' yet' : ' with this text'}.`}
        </p>
      )}
      <ul class="sessions">
        {found.slice(0, count).map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      {found.length > count && (
        <button type="button" class="more" onClick={() => setCount(count + ROWS_AT_ONCE)}>
          Show more sessions, {found.length - count} left
        </button>
      )}
    </main>
  );
}

function SessionRow({ session }: { readonly session: RemoteSession }): JSX.Element {
  const { state, title, folder, model, driver, openRequests, updatedAt } = session;
  const [sign, word] = STATE_WORDS[state];
  const usage = describeUsage(session);
  return (
    <li>
      <a class={`session is-${state}`} href={addressOf(session)}>
        <span class="state" title={word}>
          <span aria-hidden="true">{sign}</span>
          <span class="sr-only">{word}</span>
        </span>
        <span class="words">
          <span class="heading">
            <span class="title">{revealControls(title ?? 'No prompt yet')}</span>{' '}
            <Age at={updatedAt} />
          </span>
          <span class="facts">
            {word}
            {openRequests > 0 ? ` (${openRequests})` : ''} · {DRIVER_WORDS[driver]} ·{' '}
            <span class="path">{revealControls(folder)}</span>
            {model === undefined ? '' : ` · ${revealControls(model)}`}
            {usage === '' ? '' : ` · ${usage}`}
          </span>
        </span>
      </a>
    </li>
  );
}
