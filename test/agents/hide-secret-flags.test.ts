import { expect, it } from 'vitest';
import { hideSecretFlags } from '../../src/agents/hide-secret-flags.js';

it('the log has no values of flags whose name says that they are secret', () => {
  expect(
    hideSecretFlags(['--model=m', '--api-key=abc', '--token', 'abc', '--debug', '-p', 'x']),
  ).toEqual(['--model=m', '--api-key=(hidden)', '--token', '(hidden)', '--debug', '-p', 'x']);
});
