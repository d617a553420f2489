import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RemoteClient } from '../client/remote-client.js';
import { readPairingCode } from '../model/pairing-code.js';

/** Pairs this device with the code of the address, or with one that the person types. */
export function PairForm({
  client,
  code,
}: {
  readonly client: RemoteClient;
  readonly code: string | undefined;
}): JSX.Element {
  const [typed, setTyped] = useState(code ?? '');
  const [name, setName] = useState(guessName());
  const [problem, setProblem] = useState<string | undefined>();
  const pair = async (): Promise<void> => {
    try {
      await client.pair(readPairingCode(typed), name.trim());
      location.replace('/#/');
      location.reload();
    } catch (error) {
      // Another tab may have used the code at the same time: this one is paired with it.
      if (client.takeToken()) location.reload();
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <main>
      <form
        class="new-session"
        onSubmit={(event) => {
          event.preventDefault();
          void pair();
        }}
      >
        <h2>Pair this device</h2>
        <p>The desk shows a code when you run gemini-cli-provider remote.</p>
        <label>
          Code or link
          <input
            type="text"
            value={typed}
            required
            autocapitalize="off"
            autocomplete="one-time-code"
            spellcheck={false}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </label>
        <label>
          Name of this device
          <input
            type="text"
            value={name}
            required
            maxLength={60}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        {problem !== undefined && (
          <p class="notice is-error" role="alert">
            {problem}
          </p>
        )}
        <button class="is-main" type="submit">
          Pair
        </button>
      </form>
    </main>
  );
}

function guessName(): string {
  const agent = navigator.userAgent;
  const [, name] = /\b(iPhone|iPad|Android|Macintosh|Windows|Linux)\b/.exec(agent) ?? [];
  return name ?? 'Browser';
}
