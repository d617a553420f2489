import type { SessionToolCall } from '../../api/session.js';
import type { UnifiedImage, UnifiedToolResult, UnifiedToolUse } from '../../api/unified-message.js';
import { fieldOf } from '../files/message-text.js';
import { toClaudeTool } from './claude-tools.js';
import { toImage } from './image-block.js';

/** Converts a tool call to a `tool_use` block, followed by a `tool_result` block if the call has ended. */
export function toToolBlocks(call: SessionToolCall): (UnifiedToolUse | UnifiedToolResult)[] {
  const { name, input } = toClaudeTool(call.name, call.args ?? {});
  const use: UnifiedToolUse = { type: 'tool_use', id: call.id, name, input };
  const isError = call.status === 'error' || call.status === 'cancelled';
  if (hasResult(call)) return [use, toToolResult(call.id, ownParts(call), isError)];
  // A stopped call has no answer for the model, only a text for the user.
  const isOver = isError || call.status === 'success';
  return isOver ? [use, toToolResult(call.id, shownTo(call), isError)] : [use];
}

export function hasResult(call: SessionToolCall): boolean {
  return resultParts(call).length > 0;
}

/** Builds the result block of a call from the parts of its answer to the model. */
export function toToolResult(
  id: string,
  parts: readonly unknown[],
  isError: boolean,
): UnifiedToolResult {
  const answers = parts.map(readPart);
  const text = answers
    .map((answer) => answer.text)
    .filter((one) => one !== '')
    .join('\n');
  const images = answers.flatMap((answer) => answer.images);
  const textBlocks = text === '' ? [] : [{ type: 'text' as const, text }];
  return {
    type: 'tool_result',
    tool_use_id: id,
    content: images.length === 0 ? text : [...textBlocks, ...images],
    is_error: isError || answers.some((answer) => answer.isError),
  };
}

function resultParts({ result }: SessionToolCall): readonly unknown[] {
  return (Array.isArray(result) ? result : [result]).filter((part) => {
    return part !== undefined && part !== null && part !== '';
  });
}

/**
 * Returns the parts that answer this call: its answer and the parts up to the next answer. After a resume, each of several
 * parallel calls has the answers of all. Parts before the first answer belong to that one.
 */
function ownParts(call: SessionToolCall): readonly unknown[] {
  const parts = resultParts(call);
  const answerOf = (part: unknown): unknown => fieldOf(part, 'functionResponse');
  const answer = parts.findIndex((part) => fieldOf(answerOf(part), 'id') === call.id);
  if (answer === -1) return parts;
  const isFirst = parts.findIndex((part) => answerOf(part) !== undefined) === answer;
  const start = isFirst ? 0 : answer;
  const next = parts.findIndex((part, index) => index > answer && answerOf(part) !== undefined);
  return parts.slice(start, next === -1 ? undefined : next);
}

interface PartOfAnswer {
  readonly text: string;
  readonly images: readonly UnifiedImage[];
  readonly isError: boolean;
}

function readPart(part: unknown): PartOfAnswer {
  const answer = fieldOf(part, 'functionResponse');
  const response = answer === undefined ? textOf(part) : fieldOf(answer, 'response');
  const nested = fieldOf(answer, 'parts');
  const media: readonly unknown[] = Array.isArray(nested) ? nested : [part];
  return {
    text: describe(response),
    images: media.flatMap((one) => toImage(one) ?? []),
    isError: isGiven(fieldOf(response, 'error')),
  };
}

/** Returns the text of a part. Undefined for media. */
function textOf(part: unknown): unknown {
  const isMedia = isGiven(fieldOf(part, 'inlineData')) || isGiven(fieldOf(part, 'fileData'));
  return isMedia ? undefined : (fieldOf(part, 'text') ?? part);
}

/** Returns the `output` or `error` of a tool, or else its whole response as JSON. */
function describe(response: unknown): string {
  const given = [fieldOf(response, 'output'), fieldOf(response, 'error')].find(isGiven) ?? response;
  if (typeof given === 'string') return given;
  if (given === undefined || given === null) return '';
  const isEmpty = Object.keys(given).every((key) => key === 'output' || key === 'error');
  return typeof given === 'object' && given === response && isEmpty ? '' : JSON.stringify(given);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

function shownTo({ resultDisplay }: SessionToolCall): readonly unknown[] {
  return typeof resultDisplay === 'string' ? [resultDisplay] : [];
}
