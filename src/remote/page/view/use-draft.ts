import { useEffect, useState } from 'preact/hooks';
import { onDraftChange, readDraft, writeDraft } from '../client/drafts.js';

/** State of a text field that outlives the page. Tabs of the same browser show the same text. */
export function useDraft(name: string): readonly [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(() => readDraft(name));
  useEffect(() => {
    setText(readDraft(name));
    return onDraftChange(name, () => setText(readDraft(name)));
  }, [name]);
  const set = (next: string): void => {
    writeDraft(name, next);
    setText(next);
  };
  return [text, set];
}
