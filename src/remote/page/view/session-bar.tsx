import type { JSX } from 'preact';
import { useReducer, useState } from 'preact/hooks';
import type { RemoteSession } from '../../../api/remote-session.js';
import { revealControls } from '../../../web/reveal-controls.js';
import { nameRule } from '../model/describe-rule.js';
import { describeUsage, STATE_WORDS } from '../model/session-words.js';
import { Age } from './age.js';
import { useRemote } from './remote-context.js';
import { SlowButton } from './slow-button.js';

interface SessionBarProps {
  readonly session: RemoteSession;
  readonly wanted: string;
  readonly onSearch: (text: string) => void;
}

/** Line above a conversation: what the session is, and what can be done with it. */
export function SessionBar({ session, wanted, onSearch }: SessionBarProps): JSX.Element {
  const { act, mayApprove, mayPrompt, mayStart, rules } = useRemote();
  const [isOpen, setOpen] = useState(false);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const { id, capabilities, mode, modes, model, models, state, folder } = session;
  const post = (action: string, body: object = {}): void =>
    // A choice that the server refuses goes back to what holds.
    void act(`/api/sessions/${id}/${action}`, body).then((isDone) => isDone || redraw(undefined));
  const [, word] = STATE_WORDS[state];
  const usage = describeUsage(session);
  const own = rules.filter((rule) => rule.sessionId === id);
  return (
    <header class={isOpen ? 'session-bar is-open' : 'session-bar'}>
      <div class="bar">
        <a class="button" href="#/" aria-label="All sessions">
          ‹
        </a>
        <h2>
          <span class="title">{revealControls(session.title ?? 'New session')}</span>
        </h2>
        {mayPrompt && capabilities.interrupt && state !== 'ready' && state !== 'ended' && (
          <button type="button" class="is-bad" onClick={() => post('interrupt')}>
            Interrupt
          </button>
        )}
        <button
          type="button"
          aria-label="Actions"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          ⋯
        </button>
      </div>
      <p class="facts">
        {[word, mode, model && revealControls(model), usage].filter(Boolean).join(' · ')} ·{' '}
        <span class="path">{revealControls(folder)}</span> <Age at={session.updatedAt} />
      </p>
      {isOpen && (
        <div class="actions">
          <input
            type="search"
            placeholder="Search this session"
            aria-label="Search this session"
            value={wanted}
            onInput={({ currentTarget }) => onSearch(currentTarget.value)}
          />
          {mayPrompt && capabilities.mode && (
            <label>
              Mode
              <select
                value={mode}
                onChange={({ currentTarget }) => post('mode', { mode: currentTarget.value })}
              >
                {[...new Set([...(mode === undefined ? [] : [mode]), ...modes])].map((name) => (
                  <option key={name} value={name} disabled={!modes.includes(name)}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
          )}
          {mayPrompt && capabilities.model && (
            <ModelField
              current={model}
              models={models}
              onChoose={(name) => post('model', { model: name })}
            />
          )}
          {mayStart && capabilities.takeOver && state !== 'ended' && (
            <SlowButton
              label="Take over from the desk"
              busyLabel="Taking over…"
              path={`/api/sessions/${id}/take-over`}
            />
          )}
          {mayStart && capabilities.handBack && state === 'ready' && (
            <SlowButton
              label="Hand back to the desk"
              busyLabel="Handing back…"
              path={`/api/sessions/${id}/hand-back`}
            />
          )}
          {mayStart && capabilities.end && (
            <button
              type="button"
              class="is-bad"
              onClick={() => confirm('End this session?') && post('end')}
            >
              End
            </button>
          )}
          {own.map((rule) => (
            <p key={rule.id} class="rule">
              <span>
                Allowed in this session by {revealControls(rule.by)}:{' '}
                <span class="name">{revealControls(nameRule(rule))}</span>
              </span>
              {mayApprove && (
                <button type="button" onClick={() => void act(`/api/rules/${rule.id}/revoke`, {})}>
                  Revoke
                </button>
              )}
            </p>
          ))}
        </div>
      )}
    </header>
  );
}

interface ModelFieldProps {
  readonly current: string | undefined;
  readonly models: readonly string[];
  readonly onChoose: (model: string) => void;
}

function ModelField({ current, models, onChoose }: ModelFieldProps): JSX.Element {
  const [typed, setTyped] = useState(current ?? '');
  if (models.length > 0)
    return (
      <label>
        Model
        <select
          value={current ?? ''}
          onChange={({ currentTarget }) => onChoose(currentTarget.value)}
        >
          {[...new Set([current ?? '', ...models])].map((name) => (
            <option key={name} value={name}>
              {revealControls(name === '' ? 'as the CLI chooses' : name)}
            </option>
          ))}
        </select>
      </label>
    );
  return (
    <form
      class="bar"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() !== '') onChoose(typed.trim());
      }}
    >
      <label>
        Model
        <input
          type="text"
          value={typed}
          autocapitalize="off"
          spellcheck={false}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </label>
      <button type="submit">Set</button>
    </form>
  );
}
