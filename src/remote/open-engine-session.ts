import type { RemoteEngineOptions, RemoteEngineSession } from '../api/remote-engine.js';
import type { RemoteEntryContent } from '../api/remote-entry.js';
import { mapPermission } from './drivers/acp/permission-draft.js';
import { TurnEntries } from './drivers/acp/turn-entries.js';
import { ENGINE_DRIVER } from './drivers/engine-driver.js';
import type { RemoteSessions } from './remote-sessions.js';
import type { ControlledSession } from './session/controlled-session.js';
import { NO_CAPABILITIES } from './session/no-capabilities.js';

/** Part of an engine's work that runs at present. */
interface RunningPart {
  readonly entries: TurnEntries;
  readonly ending: AbortController;
}

/** Opens a session that an engine leads. Parts of its work run at the same time, so each entry names its part. */
export async function openEngineSession(
  sessions: RemoteSessions,
  { folder, title }: RemoteEngineOptions,
): Promise<RemoteEngineSession> {
  const session = await sessions.create(folder);
  const capabilities = { ...NO_CAPABILITIES, allow: true, deny: true };
  session.update({ title, capabilities, state: 'working' }, 'server');
  session.drive(ENGINE_DRIVER);
  const parts = new Map<string, RunningPart>();
  let count = 0;
  const find = (name: string): RunningPart => {
    const known = parts.get(name);
    if (known !== undefined) return known;
    count++;
    const sink = { ...sinkOf(session), add: addNamed(session, name) };
    const part = {
      entries: new TurnEntries(sink, `part-${count}`),
      ending: new AbortController(),
    };
    parts.set(name, part);
    return part;
  };
  const endPart = (name: string): void => {
    const part = parts.get(name);
    parts.delete(name);
    part?.entries.end('cancelled');
    part?.ending.abort();
  };
  return {
    id: session.sessionId,
    ask: async (name, request) => {
      const draft = mapPermission(request);
      const { signal } = find(name).ending;
      const named = { ...draft, title: `${name}: ${draft.title}`, reasonWay: 'none' as const };
      const answer = await session.ask(named, signal);
      const isAllowed = answer.outcome === 'decided' && answer.decision.type.startsWith('allow');
      return isAllowed ? 'allow_once' : 'reject';
    },
    accept: (name, event) => find(name).entries.accept(event),
    endPart,
    note: (level, message) => session.add({ type: 'notice', level, message }, 'server'),
    usage: (tokens, costUsd) => session.usage({ tokens, costUsd }),
    end: (reason) => {
      for (const name of [...parts.keys()]) endPart(name);
      session.ended(reason, 'server', false);
    },
  };
}

/** A preview shows one text at a time. Parts write at the same time, so their texts are shown when they are complete. */
function sinkOf(session: ControlledSession) {
  return {
    sessionId: session.sessionId,
    update: () => {},
    preview: () => {},
    ask: session.ask.bind(session),
    usage: () => {},
    spend: () => {},
  };
}

/** Adds entries that begin with the name of their part. */
function addNamed(session: ControlledSession, name: string) {
  return (content: RemoteEntryContent): void => {
    if (content.type === 'tool')
      session.add({ ...content, title: `${name}: ${content.title}` }, 'agent');
    else if (content.type === 'message') {
      const heading = { type: 'text' as const, text: `\`${name.replaceAll('`', "'")}\`` };
      session.add({ ...content, blocks: [heading, ...content.blocks] }, 'agent');
    } else if (content.type === 'notice')
      session.add({ ...content, message: `${name}: ${content.message}` }, 'agent');
  };
}
