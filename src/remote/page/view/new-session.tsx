import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { readDraft, sendDraft } from '../client/drafts.js';
import { addressOf } from '../model/session-address.js';
import { FolderField } from './folder-field.js';
import { useRemote } from './remote-context.js';
import { useDraft } from './use-draft.js';

const DRAFT = 'new session';

/** Form that starts a session in one of the folders of the desk. */
export function NewSession(): JSX.Element {
  const { client, server, sessions } = useRemote();
  const roots = server?.roots ?? [];
  const used = sessions
    .map(({ folder }) => folder)
    .filter((folder) => roots.some((root) => folder === root || folder.startsWith(`${root}/`)));
  const folders = [...new Set([...roots, ...used])];
  const [chosen, setFolder] = useState<string | undefined>();
  // The list of folders comes with the connection, which may be later than the form.
  const folder = chosen ?? folders[0] ?? '';
  const [prompt, setPrompt] = useDraft(DRAFT);
  const [model, setModel] = useState('');
  const [mode, setMode] = useState('default');
  const [problem, setProblem] = useState<string | undefined>();
  const [isSending, setSending] = useState(false);
  const start = async (): Promise<void> => {
    setSending(true);
    setProblem(undefined);
    const wanted = {
      folder,
      mode,
      ...(prompt.trim() === '' ? {} : { prompt }),
      ...(model.trim() === '' ? {} : { model: model.trim() }),
    };
    try {
      await sendDraft(DRAFT, prompt, JSON.stringify(wanted), async (startId) => {
        const { id } = await client.post<{ id: string }>('/api/sessions', { startId, ...wanted });
        location.hash = addressOf({ id });
        return true;
      });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
    setSending(false);
    setPrompt(readDraft(DRAFT));
  };
  return (
    <main tabIndex={-1} aria-label="New session">
      <form
        class="new-session"
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <h2>New session</h2>
        <FolderField folders={folders} folder={folder} onChoose={setFolder} />
        <label>
          Prompt
          <textarea
            rows={5}
            value={prompt}
            onInput={({ currentTarget }) => setPrompt(currentTarget.value)}
          />
        </label>
        <label>
          Model
          <input
            type="text"
            value={model}
            placeholder="as at the desk"
            autocapitalize="off"
            spellcheck={false}
            onInput={({ currentTarget }) => setModel(currentTarget.value)}
          />
        </label>
        <label>
          Mode
          <select value={mode} onChange={({ currentTarget }) => setMode(currentTarget.value)}>
            <option value="default">default: asks before changes</option>
            <option value="auto_edit">auto_edit: edits without asking</option>
            <option value="plan">plan: changes nothing</option>
          </select>
        </label>
        {problem !== undefined && (
          <p class="notice is-error" role="alert">
            {problem}
          </p>
        )}
        <div class="bar">
          <a class="button" href="#/">
            Cancel
          </a>
          <button class="is-main" type="submit" disabled={isSending || folder === ''}>
            Start
          </button>
        </div>
      </form>
    </main>
  );
}
