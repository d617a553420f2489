const PREFIX = 'draft ';
const ID_PREFIX = 'draft-id ';
/** Drafts of a browser that stores nothing, or no more. They last as long as the page. */
const unstored = new Map<string, string>();

/** Texts that were typed and not sent. They are kept in the browser until they are sent or the pairing ends. All tabs share them. */
export function readDraft(name: string): string {
  return read(PREFIX + name);
}

export function writeDraft(name: string, text: string): void {
  write(PREFIX + name, text);
}

/**
 * Sends a draft, one tab at a time. Does nothing if another tab has sent or changed the draft meanwhile: the person sees what is
 * there now before it goes out. What is typed while the draft is on its way stays.
 *
 * @param content everything that is sent, with the draft
 * @param send sends the content under an id, and returns true if the server has it
 */
export async function sendDraft(
  name: string,
  text: string,
  content: string,
  send: (id: string) => Promise<boolean>,
): Promise<void> {
  const sendNow = async (): Promise<void> => {
    if (readDraft(name) !== text || !(await send(idOfUnsent(name, content)))) return;
    if (readDraft(name) === text) writeDraft(name, '');
    write(ID_PREFIX + name, '');
  };
  // A page without a secure connection has no locks.
  const locks: LockManager | undefined = navigator.locks;
  await (locks === undefined ? sendNow() : locks.request(`send ${name}`, sendNow));
}

/**
 * Returns the id under which a content is sent. A request that got no answer may have arrived: until the server has the content for
 * certain, it keeps its id, also in another tab and after a reload, so that the server takes it once.
 */
function idOfUnsent(name: string, content: string): string {
  const [id, ...known] = read(ID_PREFIX + name).split('\n');
  if (id && known.join('\n') === content) return id;
  const created = crypto.randomUUID();
  write(ID_PREFIX + name, `${created}\n${content}`);
  return created;
}

export function removeDrafts(): void {
  unstored.clear();
  for (const key of Object.keys(localStorage))
    if (key.startsWith(PREFIX) || key.startsWith(ID_PREFIX)) localStorage.removeItem(key);
}

/** Calls the listener when another tab may have changed a draft. Returns a function that ends this. */
export function onDraftChange(name: string, listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent): void => {
    if (key === null || key === PREFIX + name) listener();
  };
  window.addEventListener('storage', onStorage);
  // A browser may keep a hidden tab from running, and its events with it.
  document.addEventListener('visibilitychange', listener);
  return () => {
    window.removeEventListener('storage', onStorage);
    document.removeEventListener('visibilitychange', listener);
  };
}

function read(key: string): string {
  return unstored.get(key) ?? localStorage.getItem(key) ?? '';
}

function write(key: string, text: string): void {
  try {
    if (text === '') localStorage.removeItem(key);
    else localStorage.setItem(key, text);
    unstored.delete(key);
  } catch {
    // The storage is full or closed.
    unstored.set(key, text);
  }
}
