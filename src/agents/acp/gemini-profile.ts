import type { ApprovalMode } from '../../api/provider-config.js';
import type { TokenCounts, Usage } from '../../api/result.js';
import { isObject } from '../../base/json/is-object.js';
import { firstLine } from '../../base/text/first-line.js';
import { NO_TOKENS } from '../../base/usage/token-counts.js';
import { findGeminiTool, isMcpTool, toolCategory, toolKind } from '../gemini/gemini-tools.js';
import { classifyApiFailure } from '../verdict/api-failure.js';
import { codeOfExitCode } from '../verdict/cli-exit-codes.js';
import { codeOfStderr, isSettingsError } from '../verdict/cli-messages.js';
import { fail, failApi, failValidation } from '../verdict/create-failure.js';
import type { Failure } from '../verdict/verdict.js';
import { readLocations, toList } from './acp-wire.js';
import { findClientReports } from './client-reports.js';
import { categoryOfKind, toToolKind } from './generic-profile.js';
import type { AgentProfile, RpcError } from './profile.js';
import { describeRpcError, judgeModelError, judgeProtocolError } from './rpc-failure.js';

const MODE_IDS: Readonly<Record<ApprovalMode, string>> = {
  default: 'default',
  // In its mode `autoEdit` the CLI does not ask before an edit, and allowed commands may redirect their output.
  auto_edit: 'default',
  yolo: 'yolo',
  plan: 'plan',
};
const MILDER_MODES: Readonly<Record<ApprovalMode, readonly string[]>> = {
  default: ['default'],
  plan: ['default', 'plan'],
  auto_edit: ['default', 'auto_edit'],
  yolo: ['default', 'plan', 'auto_edit', 'yolo'],
};
/**
 * Prompt that the CLI would run as a command. White space before it does not help: the CLI trims the prompt first.
 */
const COMMAND = /^\s*[/$]/;
const INVISIBLE = '\u200b';

/** Profile of `gemini --acp`, version 0.61. */
export const geminiProfile: AgentProfile = {
  name: 'Gemini CLI',
  hints: {},
  findMode: (mode, offered) => {
    return offered.includes(MODE_IDS[mode]) ? MODE_IDS[mode] : undefined;
  },
  findModel: (model) => model,
  // The id begins with the tool name: `write_file__write_file_1794801837128_0`. The title is for users.
  toolName: ({ toolCallId, title, kind }) => {
    const end = toolCallId.indexOf('__');
    if (end > 0) return toolCallId.slice(0, end);
    return /^(.+?)[-_]\d{10,}/.exec(toolCallId)?.[1] ?? title ?? kind ?? 'unknown';
  },
  // The CLI does not send arguments. The title of a shell call is the command. The first location is the file.
  toolInput: (name, { title, locations, rawInput }) => {
    if (isObject(rawInput)) return rawInput;
    if (name === 'run_shell_command') return title ? { command: title } : {};
    const [path] = readLocations(locations);
    return path === undefined ? {} : { file_path: path };
  },
  // The policy file, with which the CLI was started, has the rules.
  holdsCommandRules: true,
  asksForEdits: true,
  toolKind: (name, kind) => {
    const isKnown = findGeminiTool(name) !== undefined || isMcpTool(name);
    return isKnown ? toolKind(name) : toToolKind(kind);
  },
  toolCategory: (name, kind) => {
    const category = toolCategory(name);
    return category === 'unknown' ? categoryOfKind(kind) : category;
  },
  isAllowedByMode: (mode, tool) => {
    const facts = findGeminiTool(tool);
    if (facts === undefined) return mode === 'yolo';
    return MILDER_MODES[mode].includes(facts.offeredFrom);
  },
  sendsWholeThoughts: true,
  isNoise: (text) => text.startsWith('[MODE_UPDATE] '),
  protectPrompt: (text) => {
    if (!COMMAND.test(text)) return { text, warnings: [] };
    const message =
      'A zero-width space was put before the prompt: the CLI would have run the prompt as a command.';
    return { text: INVISIBLE + text, warnings: [{ code: 'PROMPT_CHANGED', message }] };
  },
  takesMissingFileForError: true,
  readUpdateUsage: () => undefined,
  readUsage: readQuota,
  judgeTurn: ({ acpStopReason: stopReason, hasAnswer }) => {
    // The CLI also reports `end_turn` for empty, blocked and malformed answers. A real answer always has text.
    if (stopReason === 'end_turn' && !hasAnswer) {
      return fail('EMPTY_RESPONSE', 'The model gave no usable answer: empty, blocked or malformed');
    }
    return undefined;
  },
  judgeRpcError,
  findReports: findClientReports,
  codeOfEarlyExit: (exitCode, stderr) => codeOfExitCode(exitCode) ?? codeOfStderr(stderr),
};

/** Reads `_meta.quota` of the prompt response: the tokens of this prompt alone. Cached tokens and thoughts are not reported. */
function readQuota(response: unknown, toolCalls: number): Usage | undefined {
  const meta = isObject(response) ? response['_meta'] : undefined;
  const quota = isObject(meta) ? meta['quota'] : undefined;
  if (!isObject(quota)) return undefined;
  const models = toList(quota['model_usage']).flatMap((entry) => {
    if (!isObject(entry) || typeof entry['model'] !== 'string') return [];
    return [[entry['model'], readTokens(entry['token_count'])] as const];
  });
  return { ...readTokens(quota['token_count']), models: Object.fromEntries(models), toolCalls };
}

function readTokens(value: unknown): TokenCounts {
  const count = (name: string): number => {
    const tokens = isObject(value) ? value[name] : undefined;
    return typeof tokens === 'number' ? tokens : 0;
  };
  const [input, output] = [count('input_tokens'), count('output_tokens')];
  return { ...NO_TOKENS, total: input + output, input, output };
}

/**
 * Maps an error response to a failure. The code is the HTTP status; the CLI sends 500 for errors without one and
 * for 404.
 */
function judgeRpcError(error: RpcError, errorType?: string): Failure {
  const text = describeRpcError(error);
  if (errorType === 'ValidationRequiredError') return failValidation(text);
  if (errorType === 'ModelNotFoundError')
    return failApi({ code: 'MODEL_NOT_FOUND', httpStatus: 404, sentence: text });
  if (isSettingsError(text))
    return fail('CLI_CONFIG', `The CLI rejected its settings: ${firstLine(text)}`);
  if (/Directory does not exist|Invalid session identifier|No previous sessions/.test(text)) {
    return fail('INVALID_INPUT', text.split('\n', 1)[0] ?? text);
  }
  if (error.code === 500) {
    const apiFailure = classifyApiFailure(text, undefined, errorType);
    if (apiFailure !== undefined) return failApi(apiFailure);
  }
  return error.code > 0 ? judgeModelError(error.code, text, errorType) : judgeProtocolError(error);
}
