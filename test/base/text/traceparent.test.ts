import { expect, it } from 'vitest';
import { formatTraceparent, parseTraceparent } from '../../../src/base/text/traceparent.js';

const VALID = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

it('reads what it writes', () => {
  const position = parseTraceparent(VALID);
  expect(position).toEqual({
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    traceFlags: 1,
  });
  expect(position && formatTraceparent(position)).toBe(VALID);
});

it.each([
  undefined,
  7,
  '',
  'nonsense',
  VALID.toUpperCase(),
  `${VALID}\n`,
  `${VALID},x=y`,
  `ff${VALID.slice(2)}`,
  `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
  `00-0af7651916cd43dd8448eb211c80319c-${'0'.repeat(16)}-01`,
])('ignores %j', (value) => {
  expect(parseTraceparent(value)).toBeUndefined();
});
