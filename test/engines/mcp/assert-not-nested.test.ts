import { describe, expect, it } from 'vitest';
import { assertNotNested } from '../../../src/engines/mcp/assert-not-nested.js';

describe('assertNotNested', () => {
  it('accepts a start by a person or by another program', () => {
    expect(() => assertNotNested({ PATH: '/bin' })).not.toThrow();
  });

  it('refuses a start by an agent of this package', () => {
    expect(() => assertNotNested({ GEMINI_CLI_PROVIDER_TAG: 'a' })).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG' }),
    );
  });
});
