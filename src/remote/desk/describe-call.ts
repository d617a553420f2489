import type { BeforeToolHook, NotificationHook } from '../../api/hook-payload.js';
import type { RemoteQuestion } from '../../api/remote-request.js';
import { isObject } from '../../base/json/is-object.js';
import type { RequestDraft } from '../broker/approval-broker.js';
import { cutCall } from '../session/cut-call.js';
import { cutTitle } from '../session/cut-title.js';
import { announces, mcpToolName } from './match-calls.js';
import type { PredictedEdit } from './predict-edit.js';

type CallDraft = Omit<RequestDraft, 'sessionId'>;

/** Describes a call for the person, with the change of a file as it would be. */
export function describeHookCall(
  hook: BeforeToolHook,
  edit: Pick<PredictedEdit, 'diff'> | undefined,
  isDenyOnly: boolean,
): CallDraft {
  const { tool_name: toolName, tool_input: input } = hook;
  const { command: line, file_path: path } = input;
  const command = toolName === 'run_shell_command' && typeof line === 'string' ? line : undefined;
  const named = typeof path === 'string' ? `${toolName} ${path}` : toolName;
  return {
    ...cutCall({ input, diff: edit?.diff, command }),
    kind: 'tool',
    toolName,
    title: cutTitle(typeof line === 'string' ? line : named),
    command,
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
 * Describes a dialog that a notification has announced. The text of the screen goes along wherever the announcement and the call do
 * not tell everything. No rule answers a dialog whose announcement does not name its call: for an MCP tool, the name is that of a rule.
 *
 * @param call the call that the dialog is about, if it is known: the announcement has not all arguments
 * @param shown text of the dialog on the screen
 * @param hasWarning true if the dialog says more than its call
 */
export function describeNotification(
  hook: NotificationHook,
  call: BeforeToolHook | undefined,
  shown: string,
  hasWarning: boolean,
): CallDraft {
  const { details = {} } = hook;
  const { type, title, command, fileDiff, filePath, prompt, urls } = details;
  const diff = typeof fileDiff === 'string' ? fileDiff : undefined;
  const isMcp = type === 'mcp';
  if (call !== undefined) {
    const draft = describeHookCall(call, diff === undefined ? undefined : { diff }, false);
    const isNamed = announces(hook, call);
    return {
      ...draft,
      text: isNamed && !isMcp && !hasWarning ? undefined : shown,
      isOnceOnly: hasWarning || !isNamed,
      reasonWay: 'new-turn',
    };
  }
  const name = nameOfAnnounced(details);
  const line = typeof command === 'string' ? command : undefined;
  const input = {
    ...(typeof filePath === 'string' ? { file_path: filePath } : {}),
    ...(line === undefined ? {} : { command: line }),
    ...(typeof prompt === 'string' ? { prompt } : {}),
    ...(Array.isArray(urls) ? { urls } : {}),
  };
  return {
    ...cutCall({
      input,
      diff,
      command: line,
      text: diff === undefined || hasWarning ? shown : undefined,
    }),
    kind: 'tool',
    toolName: name,
    title: cutTitle(line ?? (typeof title === 'string' ? title : name)),
    command: line,
    questions: [],
    options: [],
    isDenyOnly: false,
    isOnceOnly: hasWarning || !isMcp,
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
