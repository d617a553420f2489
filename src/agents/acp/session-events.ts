import type { AgentEvent } from '../../api/agent-event.js';
import { isObject } from '../../base/json/is-object.js';
import { toList } from './acp-wire.js';
import type { SessionHandle } from './session-handle.js';

type OpenedSession = Pick<SessionHandle, 'id' | 'answer' | 'options'> & {
  readonly process: Pick<SessionHandle['process'], 'identity'>;
};

/** Returns the events of a session that is new to a step: its agent, and the modes, models and options that it offers. */
export function eventsOfSession(
  { id: sessionId, answer: raw, options, process }: OpenedSession,
  configuredModel: string | undefined,
): AgentEvent[] {
  const { mode, model } = options;
  const configOptions = isObject(raw) ? toList(raw['configOptions']) : [];
  const events: AgentEvent[] = [
    {
      type: 'session-init',
      raw,
      sessionId,
      model: configuredModel ?? model?.current,
      models: model?.offered,
      agent: process.identity,
    },
  ];
  if (configOptions.length > 0) events.push({ type: 'config-options', options: configOptions });
  if (mode?.current !== undefined) {
    events.push({ type: 'session-mode', modeId: mode.current, modes: mode.offered });
  }
  return events;
}
