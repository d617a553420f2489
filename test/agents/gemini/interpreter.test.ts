import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findMissingInterpreter } from '../../../src/agents/gemini/interpreter.js';
import { makeFolder } from '../../fixtures/cli/support.js';

const missingIn = (content: string | Buffer) => {
  return findMissingInterpreter(join(makeFolder({ 'script*': content }), 'script'));
};

describe('the interpreter of a script', () => {
  it.each([
    ['#!/no/such/interpreter\necho hi\n', '/no/such/interpreter'],
    ['#! \t/no/such/env node\n', '/no/such/env'],
    ['#!/no/such/interpreter', '/no/such/interpreter'],
    ['#!/bin/sh\r\necho hi\r\n', '/bin/sh\r'],
  ])('is missing in %j', (content, missing) => {
    expect(missingIn(content)).toBe(missing);
  });

  it.each(['#!/bin/sh\n', '#!/usr/bin/env node\n', 'echo hi\n', '', '#!\n', '\x7fELF #!/no/such'])(
    'is not missing in %j',
    (content) => {
      expect(missingIn(content)).toBeUndefined();
    },
  );

  it('is not reported for a file that cannot be read', () => {
    expect(findMissingInterpreter('/no/such/script')).toBeUndefined();
  });
});
