// Tiny MCP server with two tools: `shout` returns its text in capitals, `save` writes it to a file.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';

const TOOLS = [
  {
    name: 'shout',
    description: 'Returns the text in capitals.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  },
  {
    name: 'save',
    description: 'Writes the text to a file.',
    inputSchema: {
      type: 'object',
      properties: { text: { type: 'string' }, target: { type: 'string' } },
      required: ['text', 'target'],
    },
  },
];

/** @param {string} target @param {string} text */
function save(target, text) {
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}

/**
 * @param {string} method
 * @param {{ protocolVersion?: string, arguments?: { text: string, target?: string } }} params
 */
function answer(method, params) {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'louder', version: '1.0.0' },
      };
    case 'tools/list':
      return { tools: TOOLS };
    case 'tools/call': {
      if (params.arguments?.target) save(params.arguments.target, params.arguments.text);
      const text = `${params.arguments?.text.toUpperCase()}${process.env['LOUDER_END'] ?? ''}`;
      return { content: [{ type: 'text', text }] };
    }
    default:
      return undefined;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = answer(method, params);
  const outcome = result ? { result } : { error: { code: -32601, message: `no ${method}` } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n`);
}
