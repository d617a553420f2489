import type { JSX } from 'preact';
import type { RemotePromptEntry, RemoteToolEntry } from '../../../api/remote-entry.js';
import { revealControls } from '../../../web/reveal-controls.js';
import { cutTitle } from '../../session/cut-title.js';
import type { ConversationItem } from '../model/fold-entries.js';
import { DiffView } from './diff-view.js';
import { MarkdownView } from './markdown-view.js';
import { RequestCard } from './request-card.js';

const TOOL_SIGNS: Readonly<Record<RemoteToolEntry['status'], string>> = {
  waiting: '…',
  running: '▶',
  succeeded: '✓',
  failed: '✗',
  refused: '⊘',
  cancelled: '–',
};

const PROMPT_WORDS: Readonly<Record<RemotePromptEntry['status'], string>> = {
  queued: 'queued',
  sent: 'sent',
  accepted: 'accepted',
  answered: 'answered',
  'not-delivered': 'not delivered',
  withdrawn: 'withdrawn',
};

export interface EntryActions {
  readonly onWithdraw: (promptId: string) => void;
}

/** Shows one row of the conversation. */
export function EntryView({
  item,
  actions,
}: {
  readonly item: ConversationItem;
  readonly actions: EntryActions;
}): JSX.Element {
  switch (item.type) {
    case 'message':
      return <MessageView item={item} />;
    case 'tool':
      return <ToolView tool={item.tool} />;
    case 'prompt':
      return <PromptView prompt={item.prompt} onWithdraw={actions.onWithdraw} />;
    case 'request':
      return <RequestCard request={item.request} decision={item.decision} />;
    case 'notice':
      return (
        <p class={`notice is-${item.level}`} role={item.level === 'error' ? 'alert' : undefined}>
          {revealControls(item.message)}
        </p>
      );
  }
}

function MessageView({
  item,
}: {
  readonly item: ConversationItem & { type: 'message' };
}): JSX.Element {
  const { role, blocks, isForgotten } = item.message;
  const author = { user: 'You', assistant: 'Gemini', system: 'CLI' }[role];
  return (
    <article
      class={`message is-${role}${isForgotten === true ? ' is-forgotten' : ''}`}
      aria-label={author}
    >
      {blocks.map((block, index) =>
        block.type === 'thought' ? (
          <details key={index} class="thought">
            <summary>Thought</summary>
            <MarkdownView text={block.text} />
          </details>
        ) : (
          <MarkdownView key={index} text={block.text} />
        ),
      )}
      {isForgotten === true && (
        <p class="remark">Refused or cancelled: the agent has forgotten this turn.</p>
      )}
    </article>
  );
}

function ToolView({ tool }: { readonly tool: RemoteToolEntry }): JSX.Element {
  const { status, title, name, output, diff, input } = tool;
  const path = typeof input['file_path'] === 'string' ? input['file_path'] : title;
  return (
    <details class={`tool is-${status}`}>
      <summary>
        <span class="sign" aria-hidden="true">
          {TOOL_SIGNS[status]}
        </span>
        <span class="name">{revealControls(name)}</span>{' '}
        <span class="path">{revealControls(cutTitle(title))}</span>
        <span class="sr-only">, {status}</span>
      </summary>
      {diff === undefined ? (
        <pre class="text" tabIndex={0} role="group" aria-label="Arguments">
          {revealControls(JSON.stringify(input, undefined, 2))}
        </pre>
      ) : (
        <DiffView diff={diff} path={path} />
      )}
      {output !== undefined && output !== '' && (
        <pre class="text" tabIndex={0} role="group" aria-label="Output">
          {revealControls(output)}
        </pre>
      )}
    </details>
  );
}

function PromptView({
  prompt,
  onWithdraw,
}: {
  readonly prompt: RemotePromptEntry;
  readonly onWithdraw: (promptId: string) => void;
}): JSX.Element {
  const { text, status, by, detail, promptId } = prompt;
  return (
    <article class={`message is-user is-${status}`} aria-label="Your prompt">
      <p class="plain">{revealControls(text)}</p>
      <p class="remark">
        {PROMPT_WORDS[status]} · {revealControls(by)}
        {detail === undefined ? '' : `: ${revealControls(detail)}`}
        {status === 'queued' && (
          <button type="button" onClick={() => onWithdraw(promptId)}>
            Take back
          </button>
        )}
      </p>
    </article>
  );
}
