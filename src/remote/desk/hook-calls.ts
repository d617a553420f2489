import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { AfterToolHook, BeforeToolHook, NotificationHook } from '../../api/hook-payload.js';
import type { RemoteQuestion } from '../../api/remote-request.js';
import { createDiff } from '../../base/fs/diff.js';
import { isObject } from '../../base/json/is-object.js';
import type { RequestDraft } from '../broker/approval-broker.js';
import { cutInput } from '../session/cut-input.js';
import { cutText } from '../session/cut-text.js';

const MOST_DIFF_CHARACTERS = 256_000;

/** Tools for which the CLI asks in its mode `default`. Calls of other tools are never held. */
const ASKING_TOOLS: ReadonlySet<string> = new Set([
  'write_file',
  'replace',
  'run_shell_command',
  'web_fetch',
]);
const EDITING_TOOLS: ReadonlySet<string> = new Set(['write_file', 'replace']);

/** True if the CLI would ask before this call in its present mode. A call that would run anyway must not be held. */
export function wouldAsk(toolName: string, mode: string | undefined): boolean {
  if (mode === 'yolo' || mode === 'plan') return false;
  if (mode === 'auto_edit' && EDITING_TOOLS.has(toolName)) return false;
  return ASKING_TOOLS.has(toolName);
}

type CallDraft = Omit<RequestDraft, 'sessionId'>;

/** Describes a call for the person, with the change of a file as it would be. */
export async function describeHookCall(
  hook: BeforeToolHook,
  isDenyOnly: boolean,
): Promise<CallDraft> {
  const { tool_name: toolName, tool_input: input } = hook;
  const command = input['command'];
  const path = input['file_path'];
  return {
    kind: 'tool',
    toolName,
    title:
      typeof command === 'string'
        ? command
        : typeof path === 'string'
          ? `${toolName} ${path}`
          : toolName,
    input: cutInput(input),
    diff: await predictDiff(hook),
    command: toolName === 'run_shell_command' && typeof command === 'string' ? command : undefined,
    questions: [],
    options: [],
    isDenyOnly,
    reasonWay: 'refusal',
  };
}

async function predictDiff({
  tool_input: input,
  cwd,
}: BeforeToolHook): Promise<string | undefined> {
  const { file_path: path, content, old_string: oldText, new_string: newText } = input;
  if (typeof path !== 'string') return undefined;
  const before = await readFile(resolve(cwd, path), 'utf8').catch(() => null);
  const after =
    typeof content === 'string'
      ? content
      : typeof oldText === 'string' && typeof newText === 'string'
        ? (before ?? '').replace(oldText, () => newText)
        : undefined;
  return after === undefined
    ? undefined
    : cutText(createDiff(path, before, after), MOST_DIFF_CHARACTERS);
}

/** True if two hooks are about calls with the same content. The CLI gives no id to a call. */
export function isSameCall(a: BeforeToolHook, b: AfterToolHook): boolean {
  return a.tool_name === b.tool_name && isDeepStrictEqual(a.tool_input, b.tool_input);
}

/** True if a notification announces the dialog of this call. The CLI gives neither of them an id. */
export function announces(
  { details = {} }: NotificationHook,
  { tool_name: toolName, tool_input: input, cwd }: BeforeToolHook | AfterToolHook,
): boolean {
  switch (details['type']) {
    case 'exec':
      return toolName === 'run_shell_command' && details['command'] === input['command'];
    case 'edit': {
      const { file_path: path, content, new_string: replacement } = input;
      if (!EDITING_TOOLS.has(toolName) || typeof path !== 'string') return false;
      if (resolve(cwd, path) !== details['filePath']) return false;
      const after = details['newContent'];
      if (toolName === 'write_file') return content === after;
      return typeof replacement === 'string' && String(after).includes(replacement);
    }
    case 'info':
      return toolName === 'web_fetch' && details['prompt'] === input['prompt'];
    case 'ask_user':
      return toolName === 'ask_user';
    default:
      return false;
  }
}

/** Returns a text that the dialog of a notification shows. */
export function signOf({ details = {} }: NotificationHook): { readonly text: string } {
  const { type, command, fileName, prompt } = details;
  if (type === 'exec' && typeof command === 'string')
    return { text: command.split('\n')[0]?.slice(0, 60) ?? '' };
  if (type === 'edit' && typeof fileName === 'string')
    return { text: basename(fileName).slice(0, 40) };
  if (type === 'info' && typeof prompt === 'string') return { text: prompt.slice(0, 40) };
  return { text: '' };
}

/** Describes a dialog that a notification has announced and for which no call is known. */
export function describeNotification({ details = {} }: NotificationHook): CallDraft {
  const { type, title, command, fileDiff, filePath } = details;
  const name =
    type === 'exec' ? 'run_shell_command' : type === 'edit' ? 'write_file' : String(type ?? 'tool');
  return {
    kind: 'tool',
    toolName: name,
    title: typeof command === 'string' ? command : typeof title === 'string' ? title : name,
    input: cutInput({
      ...(typeof filePath === 'string' ? { file_path: filePath } : {}),
      ...(typeof command === 'string' ? { command } : {}),
    }),
    diff: typeof fileDiff === 'string' ? cutText(fileDiff, MOST_DIFF_CHARACTERS) : undefined,
    command: typeof command === 'string' ? command : undefined,
    questions: [],
    options: [],
    isDenyOnly: false,
    reasonWay: 'new-turn',
  };
}

/** Reads the questions of a call of `ask_user`. */
export function readQuestions({ tool_input: input }: BeforeToolHook): readonly RemoteQuestion[] {
  const { questions } = input;
  if (!Array.isArray(questions)) return [];
  return questions.filter(isObject).map((question, index) => {
    const { options, type } = question;
    const labels = Array.isArray(options)
      ? options.filter(isObject).map(({ label }) => String(label))
      : [];
    const offered = type === 'yesno' && labels.length === 0 ? ['Yes', 'No'] : labels;
    return {
      id: String(index),
      text: String(question['question'] ?? ''),
      options: offered.map((label, at) => ({ id: String(at + 1), label })),
      isMultiple: question['multiSelect'] === true,
    };
  });
}
