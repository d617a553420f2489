import type { RemoteCapabilities } from '../../api/remote-session.js';
import type { ProviderError } from '../../base/errors/provider-error.js';
import { refusal } from './refusal.js';

const ACTIONS: Readonly<Record<keyof RemoteCapabilities, string>> = {
  prompt: 'take a prompt',
  allow: 'be told to allow a call',
  deny: 'be told to refuse a call',
  interrupt: 'be interrupted',
  mode: 'change its mode',
  model: 'change its model',
  liveText: 'show live text',
  end: 'be ended',
  takeOver: 'be taken over',
  handBack: 'be given back',
};

/** Error for an action that a session cannot take at present. The notes of the session say why. */
export function notPossible(
  action: keyof RemoteCapabilities,
  notes: readonly string[],
): ProviderError {
  const why = notes.length > 0 ? notes.join(' ') : undefined;
  return refusal(`The session cannot ${ACTIONS[action]} at present`, why);
}
