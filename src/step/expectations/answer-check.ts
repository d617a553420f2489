import type { AnswerSchema } from '../../api/expectations.js';
import { messageOf } from '../../base/errors/message-of.js';
import { checkOutput } from './check-output.js';
import type { CheckAnswer, CheckRequest } from './check-output-in-thread.js';

const MOST_SCHEMAS = 32;
/** Schemas by their JSON text: each schema object is compiled once. */
const schemas = new Map<string, AnswerSchema>();

/** Checks the output of a step in the thread for checks. */
export function answerCheck({ conditions, schema, subject }: CheckRequest): CheckAnswer {
  try {
    const json = schema === undefined ? undefined : parseSchema(schema);
    return { checked: checkOutput({ ...conditions, json }, subject) };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

function parseSchema(text: string): AnswerSchema {
  const known = schemas.get(text);
  if (known !== undefined) return known;
  const schema: AnswerSchema = JSON.parse(text);
  if (schemas.size >= MOST_SCHEMAS) schemas.clear();
  schemas.set(text, schema);
  return schema;
}
