const PREFIX = 'draft ';

/** Texts that were typed and not sent. They are kept in the browser until they are sent or the pairing ends. */
export function readDraft(name: string): string {
  return localStorage.getItem(PREFIX + name) ?? '';
}

export function writeDraft(name: string, text: string): void {
  if (text === '') localStorage.removeItem(PREFIX + name);
  else localStorage.setItem(PREFIX + name, text);
}

export function removeDrafts(): void {
  for (const key of Object.keys(localStorage))
    if (key.startsWith(PREFIX)) localStorage.removeItem(key);
}
