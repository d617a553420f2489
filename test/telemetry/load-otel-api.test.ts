import { expect, it } from 'vitest';
import { loadOtelApi } from '../../src/telemetry/load-otel-api.js';

it('names the npm install if the peer is missing', async () => {
  const loading = loadOtelApi(() => Promise.reject(new Error('Cannot find package')));
  await expect(loading).rejects.toMatchObject({
    code: 'INVALID_CONFIG',
    hint: expect.stringContaining('npm install @opentelemetry/api'),
  });
});
