import { isAbsolute } from 'node:path';
import type { ToolContent } from '../../api/agent-event.js';
import { isObject } from '../../base/json/is-object.js';
import { readTextBlock, toList } from './acp-wire.js';

/** What a tool call shows: text, diffs with old and new text, terminals. */
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
  // The Gemini CLI has an empty old text for a new file, and says in a note that it is new.
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

/** Where a diff belongs: some agents put the bare name into it, and the path among the locations. */
export function locateDiff(path: string, locations: readonly string[]): string {
  if (isAbsolute(path)) return path;
  return locations.find((location) => location.endsWith(`/${path}`)) ?? path;
}
