import { useState } from 'preact/hooks';
import { readDraft, writeDraft } from '../client/drafts.js';

/** State of a text field that outlives the page. */
export function useDraft(name: string): readonly [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(() => readDraft(name));
  const set = (next: string): void => {
    writeDraft(name, next);
    setText(next);
  };
  return [text, set];
}
