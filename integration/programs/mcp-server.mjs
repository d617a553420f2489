// Tiny MCP server with one tool, `shout`, which returns its text in capitals.
import { createInterface } from 'node:readline';

const TOOL = {
  name: 'shout',
  description: 'Returns the text in capitals.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
};

/**
 * @param {string} method
 * @param {{ protocolVersion?: string, arguments?: { text: string } }} params
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
      return { tools: [TOOL] };
    case 'tools/call': {
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
