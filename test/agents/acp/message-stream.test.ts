import { PassThrough } from 'node:stream';
import { setImmediate as tick } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { createMessageStream } from '../../../src/agents/acp/message-stream.js';

const line = (message: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;

it('an agent that still writes after the SDK has closed the stream does no harm', async () => {
  const stdout = new PassThrough();
  const handlers = { onUpdate: vi.fn(), onNoise: vi.fn() };
  const { readable } = createMessageStream(new PassThrough(), stdout, handlers);
  const reader = readable.getReader();
  stdout.write(line({ id: 1, result: {} }));
  expect((await reader.read()).value).toMatchObject({ id: 1 });
  await reader.cancel();
  // A message for nobody must not hide the update behind it in the same chunk.
  stdout.write(line({ id: 2, result: {} }) + line({ method: 'session/update', params: { n: 1 } }));
  await tick();
  expect(handlers.onUpdate).toHaveBeenCalledExactlyOnceWith({ n: 1 });
});
