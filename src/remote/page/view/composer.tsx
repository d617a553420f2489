import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { RemoteSession } from '../../../api/remote-session.js';
import { readDraft } from '../client/drafts.js';
import { useRemote } from './remote-context.js';
import { useDraft } from './use-draft.js';

const HAS_FINE_POINTER = matchMedia('(pointer: fine)');

/** Field for a prompt. The draft is kept. On a phone Enter begins a new line; with a keyboard Ctrl+Enter sends. */
export function Composer({ session }: { readonly session: RemoteSession }): JSX.Element | null {
  const { act, mayPrompt } = useRemote();
  const [text, setText] = useDraft(session.id);
  const [isSending, setSending] = useState(false);
  const unsent = useRef({ text: '', promptId: '' });
  if (!session.capabilities.prompt) return null;
  if (!mayPrompt)
    return <p class="remark">This device may not send prompts: it lacks the right prompt.</p>;
  const send = async (): Promise<void> => {
    if (text.trim() === '' || isSending) return;
    setSending(true);
    // A prompt that got no answer may have arrived: the same text keeps its id, so that it is taken once.
    if (unsent.current.text !== text) unsent.current = { text, promptId: crypto.randomUUID() };
    const { promptId } = unsent.current;
    const isSent = await act(`/api/sessions/${session.id}/prompt`, { promptId, text });
    setSending(false);
    if (!isSent) return;
    unsent.current = { text: '', promptId: '' };
    // What was typed while the prompt was on its way is the next draft.
    if (readDraft(session.id) === text) setText('');
  };
  const isBusy = session.state === 'working' || session.state === 'needs-you';
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <textarea
        rows={Math.min(8, text.split('\n').length + 1)}
        value={text}
        aria-label="Prompt"
        placeholder={isBusy ? 'Prompt for after this turn' : 'Prompt'}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (
            event.key !== 'Enter' ||
            !HAS_FINE_POINTER.matches ||
            !(event.ctrlKey || event.metaKey)
          )
            return;
          event.preventDefault();
          void send();
        }}
      />
      <button class="is-main" type="submit" disabled={isSending || text.trim() === ''}>
        {isBusy ? 'Queue' : 'Send'}
      </button>
    </form>
  );
}
