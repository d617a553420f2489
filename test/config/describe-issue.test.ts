import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeIssue } from '../../src/config/describe-issue.js';

/** Returns the descriptions of all issues of a value. */
function describeIssues(schema: z.ZodType, value: unknown): (string | undefined)[] {
  const { error } = schema.safeParse(value, { error: describeIssue });
  return (error?.issues ?? []).map(({ message }) => message);
}

const mode = z.enum(['default', 'auto_edit', 'yolo', 'plan']);
const MODES = 'must be "default", "auto_edit", "yolo" or "plan"';

describe('a wrong value', () => {
  it.each<[z.ZodType, unknown, string]>([
    [z.number(), undefined, 'is missing: it must be a number'],
    [z.bigint(), undefined, 'is missing: it must be a bigint'],
    [z.bigint(), 'x', 'must be a bigint'],
    [z.string(), 5, 'must be a text'],
    [z.number(), '5', 'must be a number, without quotes'],
    [z.number(), '', 'must be a number'],
    [z.number(), 'five', 'must be a number'],
    [z.int(), '5', 'must be a number, without quotes'],
    [z.int(), 1.5, 'must be a whole number'],
    [z.boolean(), 'true', 'must be true or false, without quotes'],
    [z.boolean(), 'yes', 'must be true or false'],
    [z.array(z.string()), 'a', 'must be a list'],
    [z.record(z.string(), z.string()), [], 'must be an object'],
    [z.string().min(1), '', 'must not be empty'],
    [z.string().min(3), 'ab', 'must have at least 3 letters'],
    [z.string().max(2), 'abc', 'must have at most 2 letters'],
    [z.array(z.string()).min(1), [], 'must not be empty'],
    [z.array(z.string()).max(2), ['a', 'b', 'c'], 'must have at most 2 entries'],
    [z.number().max(10), 99, 'must be at most 10'],
    [z.number().min(1), 0, 'must be at least 1'],
    [z.email(), 'x', 'has a form that is not allowed'],
    [z.union([z.string(), z.number()]), true, 'is not allowed'],
    [z.string().refine(() => false), 'x', 'is not allowed'],
    [mode, 5, MODES],
    [mode, 'auto-edit', `${MODES}. Did you mean "auto_edit"?`],
    [mode, 'acceptEdits', `${MODES}. It is called "auto_edit" here`],
    [mode, 'constructor', MODES],
    [z.literal('x'), 'read-only', 'must be "x"'],
    [z.strictObject({ files: z.string().optional() }), { file: 1 }, 'files'],
    [z.number().multipleOf(5), 7, 'multiple of 5'],
  ])('%#: %j', (schema, value, message) => {
    expect(describeIssues(schema, value)).toEqual([expect.stringContaining(message)]);
  });
});
