import type { Session, SessionMessage } from '../api/session.js';
import { isObject } from '../base/json/is-object.js';
import type { ScriptedRule, ScriptedTurn } from '../testing/index.js';

/**
 * Makes the rules of a script from a recorded session: one rule for each prompt, with the answers of the model as turns.
 * Paths in the project become relative, so that the script replays in another folder.
 */
export function scriptOfSession(
  { messages }: Session,
  projectDir: string | undefined,
): ScriptedRule[] {
  const rules: { prompt: string; turns: ScriptedTurn[] }[] = [];
  for (const message of messages) {
    if (message.type === 'user') {
      const prompt = textOf(message.content);
      if (prompt.trim() !== '') rules.push({ prompt, turns: [] });
    } else if (message.type === 'gemini') {
      rules.at(-1)?.turns.push(toTurn(message, projectDir));
    }
  }
  // A prompt is matched by the text that it contains, so a longer one has to be tried first.
  return rules
    .filter(({ turns }) => turns.length > 0)
    .sort((a, b) => b.prompt.length - a.prompt.length);
}

function toTurn(message: SessionMessage, projectDir: string | undefined): ScriptedTurn {
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

function toRelative(value: string, projectDir: string | undefined): string {
  if (projectDir === undefined) return value;
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
