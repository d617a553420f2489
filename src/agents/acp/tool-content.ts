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
    if (type === 'content') {
      const text = readTextBlock(block['content']);
      if (text !== undefined) return { type: 'text', text };
    }
    if (type === 'diff' && typeof block['path'] === 'string') return readDiff(block, block['path']);
    if (type === 'terminal' && typeof block['terminalId'] === 'string') {
      return { type: 'terminal', terminalId: block['terminalId'] };
    }
  }
  return { type: 'other', raw: block };
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
