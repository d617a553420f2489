import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { RemoteDevice } from '../../../api/remote-options.js';
import { revealControls } from '../../../web/reveal-controls.js';
import { endSubscription, isPushOn, turnPushOff, turnPushOn } from '../client/push.js';
import { useRemote } from './remote-context.js';

/** Page about this device: where the person is, push messages, paired devices. */
export function Settings(): JSX.Element {
  const { client, server, isAway, act, mayApprove } = useRemote();
  const [devices, setDevices] = useState<readonly RemoteDevice[] | undefined>();
  const [hasPush, setHasPush] = useState<boolean | undefined>();
  const [problem, setProblem] = useState<string | undefined>();
  useEffect(() => {
    void client
      .get<{ devices: readonly RemoteDevice[] }>('/api/devices')
      .then((answer) => setDevices(answer.devices))
      .catch((error: unknown) => setProblem(describeProblem(error)));
    void isPushOn(client)
      .then(setHasPush)
      .catch((error: unknown) => setProblem(describeProblem(error)));
  }, [client]);
  const togglePush = async (): Promise<void> => {
    setProblem(undefined);
    try {
      if (hasPush === true) await turnPushOff(client);
      else await turnPushOn(client, server?.pushKey ?? '');
      setHasPush(await isPushOn(client));
    } catch (error) {
      setProblem(describeProblem(error));
    }
  };
  const unpair = async (): Promise<void> => {
    if (!confirm('End the pairing of this device?')) return;
    if (!(await act('/api/unpair', {}))) return;
    await endSubscription().catch(() => {});
    client.forget();
    location.reload();
  };
  return (
    <main class="settings" tabIndex={-1} aria-label="Settings">
      <div class="bar">
        <a class="button" href="#/" aria-label="All sessions">
          ‹
        </a>
        <h2>Settings</h2>
      </div>
      <section>
        <h3>Where you are</h3>
        <p>
          While you are away, calls of sessions at the desk wait for your answer here before the
          dialog opens there.
        </p>
        <button
          type="button"
          aria-pressed={isAway}
          disabled={!mayApprove}
          onClick={() => void act('/api/presence', { isAway: !isAway })}
        >
          {isAway ? 'I am away: switch to the desk' : 'I am at the desk: switch to away'}
        </button>
      </section>
      <section>
        <h3>Be called</h3>
        {server?.pushKey === undefined ? (
          <p class="remark">{server?.pushNote ?? 'Push messages are off.'}</p>
        ) : (
          <button type="button" aria-pressed={hasPush === true} onClick={() => void togglePush()}>
            {hasPush === true ? 'Turn push messages off' : 'Turn push messages on'}
          </button>
        )}
        {problem !== undefined && (
          <p class="notice is-error" role="alert">
            {problem}
          </p>
        )}
      </section>
      <section>
        <h3>Devices</h3>
        <ul class="devices">
          {(devices ?? []).map((device) => (
            <li key={device.id}>
              <span class="title">
                {revealControls(device.name)}
                {device.id === server?.device.id ? ' (this one)' : ''}
              </span>
              <span class="facts">
                may {device.rights.join(', ')} · {device.id}
              </span>
            </li>
          ))}
        </ul>
        <p class="remark">
          Other devices are removed at the desk: gemini-cli-provider remote revoke ID
        </p>
        <button type="button" class="is-bad" onClick={() => void unpair()}>
          End the pairing of this device
        </button>
      </section>
      {(server?.notes ?? []).length > 0 && (
        <section>
          <h3>Notes of the desk</h3>
          {server?.notes.map((note) => (
            <p key={note} class="remark">
              {revealControls(note)}
            </p>
          ))}
        </section>
      )}
    </main>
  );
}

function describeProblem(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
