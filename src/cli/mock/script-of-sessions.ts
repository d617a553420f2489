import type { Session, SessionMessage } from '../../api/session.js';
import { isObject } from '../../base/json/is-object.js';
import type { ScriptedAnswer, ScriptedRule, ScriptedTurn } from '../../testing/index.js';

interface RecordedPrompt {
  readonly prompt: string;
  readonly turns: ScriptedTurn[];
}

/**
 * Makes the rules of a script from recorded sessions: one rule for each prompt, with the answers of the model as turns.
 * Answers to a repeated prompt follow each other as attempts. Paths in the project become relative, so that the script
 * replays in another folder.
 */
export function scriptOfSessions(
  sessions: readonly Session[],
  projectDir: string,
): readonly ScriptedRule[] {
  const byPrompt = new Map<string, RecordedPrompt[]>();
  for (const recorded of sessions.flatMap((session) => listPrompts(session, projectDir))) {
    if (recorded.turns.length === 0) continue;
    byPrompt.set(recorded.prompt, [...(byPrompt.get(recorded.prompt) ?? []), recorded]);
  }
  // A prompt is matched by the text that it contains, so a longer one has to be tried first.
  return [...byPrompt]
    .sort(([a], [b]) => b.length - a.length)
    .map(([prompt, recorded]) => ({ prompt, turns: mergeTurns(recorded) }));
}

function listPrompts({ messages }: Session, projectDir: string): RecordedPrompt[] {
  const prompts: RecordedPrompt[] = [];
  for (const message of messages) {
    if (message.type === 'user') {
      const prompt = textOf(message.content);
      if (prompt.trim() !== '') prompts.push({ prompt, turns: [] });
    } else if (message.type === 'gemini') {
      prompts.at(-1)?.turns.push(toTurn(message, projectDir));
    }
  }
  return prompts;
}

function mergeTurns(recorded: readonly RecordedPrompt[]): ScriptedAnswer[] {
  const length = Math.max(...recorded.map(({ turns }) => turns.length));
  return Array.from({ length }, (_, index) => {
    const attempts = recorded.flatMap(({ turns }) => turns[index] ?? []);
    const [only] = attempts;
    return attempts.length === 1 && only !== undefined ? only : { attempts };
  });
}

function toTurn(message: SessionMessage, projectDir: string): ScriptedTurn {
  const text = textOf(message.content);
  const thoughts = (message.thoughts ?? []).map(({ subject, description }) => {
    return subject ? `**${subject}**\n${description}` : `${description}`;
  });
  const toolCalls = (message.toolCalls ?? []).map(({ name, args }) => ({
    name,
    args: isObject(args) ? mapStrings(args, (value) => toRelative(value, projectDir)) : {},
  }));
  return {
    ...(thoughts.length === 0 ? {} : { thoughts }),
    ...(text === '' ? {} : { text }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    ...usageOf(message),
  };
}

function usageOf({ tokens }: SessionMessage): Pick<ScriptedTurn, 'usage'> {
  if (tokens === undefined || tokens === null) return {};
  const { input, output, cached, thoughts } = tokens;
  const counts = { prompt: input, output, cached, thoughts };
  const known = Object.entries(counts).filter(
    ([, count]) => typeof count === 'number' && count > 0,
  );
  return known.length === 0 ? {} : { usage: Object.fromEntries(known) };
}

/** Returns the text of a content: a string, a part, or a list of both. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(textOf).join('');
  return isObject(content) && typeof content['text'] === 'string' ? content['text'] : '';
}

function toRelative(value: string, projectDir: string): string {
  if (value === projectDir) return '.';
  return value.startsWith(`${projectDir}/`) ? value.slice(projectDir.length + 1) : value;
}

function mapStrings(
  object: Readonly<Record<string, unknown>>,
  map: (value: string) => string,
): Record<string, unknown> {
  const convert = (value: unknown): unknown => {
    if (typeof value === 'string') return map(value);
    if (Array.isArray(value)) return value.map(convert);
    return isObject(value) ? mapStrings(value, map) : value;
  };
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, convert(value)]));
}
