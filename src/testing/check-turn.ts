import { checkJsonValue, checkKeys, checkList, checkRecord, refuse } from './check-value.js';

type Check = (value: unknown, path: string) => void;

const checkText: Check = (value, path) => {
  if (typeof value !== 'string') refuse(path, 'a string', value);
};

const checkTexts: Check = (value, path) => checkList(value, path, checkText);

const checkNumber: Check = (value, path) => {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) {
    refuse(path, 'a number that is not negative', value);
  }
};

const checkToolCall: Check = (value, path) => {
  const call = checkRecord(value, path);
  checkKeys(call, path, ['name', 'args']);
  const { name, args } = call;
  checkText(name, `${path}.name`);
  if (args === undefined) return;
  checkRecord(args, `${path}.args`);
  checkJsonValue(args, `${path}.args`);
};

const checkDetail: Check = (value, path) => {
  checkRecord(value, path);
  checkJsonValue(value, path);
};

const checkError: Check = (value, path) => {
  const error = checkRecord(value, path);
  checkKeys(error, path, ['status', 'message', 'details', 'retryDelay']);
  const { status, ...rest } = error;
  if (!Number.isInteger(status) || Number(status) < 400 || Number(status) > 599) {
    refuse(`${path}.status`, 'an HTTP status from 400 to 599', status);
  }
  checkFields(rest, path, {
    message: checkText,
    retryDelay: checkText,
    details: (details, at) => checkList(details, at, checkDetail),
  });
};

const oneOf = (...allowed: readonly string[]): Check => {
  const wanted = allowed.map((name) => JSON.stringify(name)).join(' or ');
  return (value, path) => {
    if (typeof value !== 'string' || !allowed.includes(value)) refuse(path, wanted, value);
  };
};

const TURN: Readonly<Record<string, Check>> = {
  text: (value, path) => {
    const isTexts = Array.isArray(value) && value.every((piece) => typeof piece === 'string');
    if (typeof value !== 'string' && !isTexts) refuse(path, 'a string or a list of strings', value);
  },
  thoughts: checkTexts,
  toolCalls: (value, path) => checkList(value, path, checkToolCall),
  finishReason: (value, path) => {
    if (value !== null && typeof value !== 'string') refuse(path, 'a string or null', value);
  },
  usage: (value, path) => {
    const counts = checkRecord(value, path);
    const checks = {
      prompt: checkNumber,
      output: checkNumber,
      cached: checkNumber,
      thoughts: checkNumber,
    };
    checkKeys(counts, path, Object.keys(checks));
    checkFields(counts, path, checks);
  },
  latencyMs: checkNumber,
  chunkDelayMs: checkNumber,
  error: checkError,
  drop: oneOf('before', 'after'),
  endless: oneOf('stall', 'repeat'),
  rawBody: checkText,
};

/** Keys of a turn. */
export const TURN_KEYS: readonly string[] = Object.keys(TURN);

/** Throws INVALID_INPUT that names the wrong field. `further` are keys that the place of the turn allows in its stead. */
export function checkTurn(
  turn: Readonly<Record<string, unknown>>,
  path: string,
  further: readonly string[] = [],
): void {
  checkKeys(turn, path, [...TURN_KEYS, ...further]);
  checkFields(turn, path, TURN);
}

/** Checks the fields that are given. Every field is optional. */
function checkFields(
  fields: Readonly<Record<string, unknown>>,
  path: string,
  checks: Readonly<Record<string, Check>>,
): void {
  for (const [key, check] of Object.entries(checks)) {
    if (fields[key] !== undefined) check(fields[key], `${path}.${key}`);
  }
}
