import type { ConversationItem } from './fold-entries.js';

/** Returns the items in which a text occurs, whatever its case. */
export function searchItems(
  items: readonly ConversationItem[],
  wanted: string,
): readonly ConversationItem[] {
  const text = wanted.trim().toLowerCase();
  return text === '' ? items : items.filter((item) => textOf(item).toLowerCase().includes(text));
}

function textOf(item: ConversationItem): string {
  switch (item.type) {
    case 'message':
      return item.message.blocks.map(({ text }) => text).join('\n');
    case 'tool':
      return [item.tool.name, item.tool.title, item.tool.output, item.tool.diff].join('\n');
    case 'prompt':
      return item.prompt.text;
    case 'request': {
      const { toolName, title, command, text, diff, questions } = item.request;
      return [toolName, title, command, text, diff, ...questions.map((one) => one.text)].join('\n');
    }
    case 'notice':
      return item.message;
  }
}
