import type { BeforeToolHook, NotificationHook } from '../../api/hook-payload.js';
import type { RemoteQuestion } from '../../api/remote-request.js';
import { isObject } from '../../base/json/is-object.js';
import type { RequestDraft } from '../broker/approval-broker.js';
import { cutInput } from '../session/cut-input.js';
import { cutText } from '../session/cut-text.js';
import { mcpToolName } from './match-calls.js';
import type { PredictedEdit } from './predict-edit.js';

const MOST_DIFF_CHARACTERS = 256_000;

type CallDraft = Omit<RequestDraft, 'sessionId'>;

/** Describes a call for the person, with the change of a file as it would be. */
export function describeHookCall(
  hook: BeforeToolHook,
  edit: PredictedEdit | undefined,
  isDenyOnly: boolean,
): CallDraft {
  const { tool_name: toolName, tool_input: input } = hook;
  const { command, file_path: path } = input;
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
    diff: cutText(edit?.diff, MOST_DIFF_CHARACTERS),
    command: toolName === 'run_shell_command' && typeof command === 'string' ? command : undefined,
    questions: [],
    options: [],
    isDenyOnly,
    reasonWay: 'refusal',
  };
}

/** True if an announcement is about a call that asks for a permission, and names what it is about. */
export function isToolDialog({ details = {} }: NotificationHook): boolean {
  return ['exec', 'edit', 'mcp'].includes(String(details['type']));
}

/**
 * Describes a dialog that a notification has announced.
 *
 * @param call the call that the dialog is about, if it is known: the announcement has not all arguments
 * @param shown text of the dialog on the screen
 */
export function describeNotification(
  { details = {} }: NotificationHook,
  call: BeforeToolHook | undefined,
  shown: string,
): CallDraft {
  const { title, command, fileDiff, filePath, prompt, urls } = details;
  const diff = typeof fileDiff === 'string' ? cutText(fileDiff, MOST_DIFF_CHARACTERS) : undefined;
  if (call !== undefined) {
    const draft = describeHookCall(call, undefined, false);
    return { ...draft, diff: diff ?? draft.diff, reasonWay: 'new-turn' };
  }
  const name = nameOfAnnounced(details);
  return {
    kind: 'tool',
    toolName: name,
    title: typeof command === 'string' ? command : typeof title === 'string' ? title : name,
    input: cutInput({
      ...(typeof filePath === 'string' ? { file_path: filePath } : {}),
      ...(typeof command === 'string' ? { command } : {}),
      ...(typeof prompt === 'string' ? { prompt } : {}),
      ...(Array.isArray(urls) ? { urls } : {}),
    }),
    diff,
    command: typeof command === 'string' ? command : undefined,
    text: diff === undefined && command === undefined ? shown : undefined,
    questions: [],
    options: [],
    isDenyOnly: false,
    reasonWay: 'new-turn',
  };
}

/** Returns the name of the tool that is announced. Empty if the announcement does not tell: no rule can be made for it then. */
function nameOfAnnounced(details: Readonly<Record<string, unknown>>): string {
  switch (details['type']) {
    case 'exec':
      return 'run_shell_command';
    case 'edit':
      return 'write_file';
    case 'mcp':
      return mcpToolName(details);
    default:
      return '';
  }
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
