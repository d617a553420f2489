import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RemoteSession } from '../../../api/remote-session.js';
import { readDraft, sendDraft } from '../client/drafts.js';
import { useRemote } from './remote-context.js';
import { useDraft } from './use-draft.js';

/** Code of a key that belongs to a word that is being composed. */
const COMPOSING = 229;
const HAS_FINE_POINTER = matchMedia('(pointer: fine)');

/** Field for a prompt. The draft is kept. On a phone Enter begins a new line; with a mouse and a keyboard it sends, and Shift+Enter begins a line. */
export function Composer({ session }: { readonly session: RemoteSession }): JSX.Element | null {
  const { act, mayPrompt } = useRemote();
  const [text, setText] = useDraft(session.id);
  const [isSending, setSending] = useState(false);
  if (!session.capabilities.prompt) return null;
  if (!mayPrompt)
    return <p class="remark">This device may not send prompts: it lacks the right prompt.</p>;
  const send = async (): Promise<void> => {
    if (text.trim() === '' || isSending) return;
    setSending(true);
    await sendDraft(session.id, text, text, (promptId) =>
      act(`/api/sessions/${session.id}/prompt`, { promptId, text }),
    );
    setSending(false);
    setText(readDraft(session.id));
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
          // While a word is being composed, Enter ends the word. Safari tells the Enter after the word has ended, with the code of a word.
          const isComposing = event.isComposing || event.keyCode === COMPOSING;
          const isNewLine = event.key !== 'Enter' || event.shiftKey || isComposing;
          if (isNewLine || !HAS_FINE_POINTER.matches) return;
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
