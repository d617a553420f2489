import { isAbsolute } from 'node:path';
import type { ToolContent } from '../../api/tool-event.js';
import { isObject } from '../../base/json/is-object.js';
import { readTextBlock, toList } from './acp-wire.js';

/** Reads the content of a tool call: text, diffs with old and new text, terminals. */
export function readToolContent(value: unknown): ToolContent[] {
  return toList(value).map((block) => readBlock(block));
}

function readBlock(block: unknown): ToolContent {
  if (isObject(block)) {
    const { type } = block;
    const inner = type === 'content' ? readContentBlock(block['content']) : undefined;
    if (inner !== undefined) return inner;
    if (type === 'diff' && typeof block['path'] === 'string') return readDiff(block, block['path']);
    if (type === 'terminal' && typeof block['terminalId'] === 'string') {
      return { type: 'terminal', terminalId: block['terminalId'] };
    }
  }
  return { type: 'other', raw: block };
}

/** Reads a content block of the protocol: text, image, audio, a resource or a link to one. */
export function readContentBlock(block: unknown): ToolContent | undefined {
  const text = readTextBlock(block);
  if (text !== undefined) return { type: 'text', text };
  if (!isObject(block)) return undefined;
  const { type, mimeType, data, resource } = block;
  const isMedia = type === 'image' || type === 'audio';
  if (isMedia && typeof data === 'string' && typeof mimeType === 'string')
    return { type, mimeType, data };
  if (type === 'resource_link') return readResource(block);
  return type === 'resource' && isObject(resource) ? readResource(resource) : undefined;
}

function readResource(resource: Record<string, unknown>): ToolContent | undefined {
  const { uri } = resource;
  if (typeof uri !== 'string') return undefined;
  const text = (key: string): string | undefined => {
    const value = resource[key];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    type: 'resource',
    uri,
    name: text('name'),
    mimeType: text('mimeType'),
    text: text('text'),
  };
}

function readDiff(block: Record<string, unknown>, path: string): ToolContent {
  const { oldText, newText, _meta: meta } = block;
  // For a new file the Gemini CLI sends an empty old text and `_meta.kind: 'add'`.
  const isNew = isObject(meta) && meta['kind'] === 'add';
  return {
    type: 'diff',
    path,
    oldText: typeof oldText === 'string' && !isNew ? oldText : null,
    newText: typeof newText === 'string' ? newText : '',
  };
}

export function textOfContent(content: readonly ToolContent[]): string | undefined {
  const texts = content.flatMap((block) => (block.type === 'text' ? block.text : []));
  return texts.length === 0 ? undefined : texts.join('\n');
}

/** Returns the path of a diff. Some agents put only the file name into the diff, and the path into the locations. */
export function locateDiff(path: string, locations: readonly string[]): string {
  if (isAbsolute(path)) return path;
  return locations.find((location) => location.endsWith(`/${path}`)) ?? path;
}
