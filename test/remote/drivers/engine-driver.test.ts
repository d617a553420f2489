import { expect, it } from 'vitest';
import { ENGINE_DRIVER } from '../../../src/remote/drivers/engine-driver.js';

it('a session of an engine takes no commands, and lets itself be closed', async () => {
  const { prompt, interrupt, setMode, setModel, end, release } = ENGINE_DRIVER;
  const asked = [
    ...[
      prompt({ text: 'x', accepted: () => {}, answered: () => {} }),
      interrupt(),
      setMode('plan'),
      setModel('m'),
    ],
  ];
  const message = expect.stringContaining('belongs to a batch');
  expect(await Promise.allSettled(asked)).toMatchObject(
    Array(4).fill({ reason: { code: 'INVALID_INPUT', message } }),
  );
  await Promise.all([end(), release()]);
});
