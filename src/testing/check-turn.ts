import { checkJsonValue, checkList, checkRecord, refuse } from './check-value.js';

type Check = (value: unknown, place: string) => void;

const checkText: Check = (value, place) => {
  if (typeof value !== 'string') refuse(place, 'a string', value);
};

const checkTexts: Check = (value, place) => checkList(value, place, checkText);

const checkNumber: Check = (value, place) => {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) {
    refuse(place, 'a number that is not negative', value);
  }
};

const checkToolCall: Check = (value, place) => {
  const { name, args } = checkRecord(value, place);
  checkText(name, `${place}.name`);
  if (args === undefined) return;
  checkRecord(args, `${place}.args`);
  checkJsonValue(args, `${place}.args`);
};

const checkDetail: Check = (value, place) => {
  checkRecord(value, place);
  checkJsonValue(value, place);
};

const checkError: Check = (value, place) => {
  const { status, ...rest } = checkRecord(value, place);
  if (!Number.isInteger(status) || Number(status) < 400 || Number(status) > 599) {
    refuse(`${place}.status`, 'an HTTP status from 400 to 599', status);
  }
  checkFields(rest, place, {
    message: checkText,
    retryDelay: checkText,
    details: (details, at) => checkList(details, at, checkDetail),
  });
};

const oneOf = (...allowed: readonly string[]): Check => {
  const wanted = allowed.map((name) => JSON.stringify(name)).join(' or ');
  return (value, place) => {
    if (typeof value !== 'string' || !allowed.includes(value)) refuse(place, wanted, value);
  };
};

const TURN: Readonly<Record<string, Check>> = {
  text: (value, place) => {
    const isTexts = Array.isArray(value) && value.every((piece) => typeof piece === 'string');
    if (typeof value !== 'string' && !isTexts)
      refuse(place, 'a string or a list of strings', value);
  },
  thoughts: checkTexts,
  toolCalls: (value, place) => checkList(value, place, checkToolCall),
  finishReason: (value, place) => {
    if (value !== null && typeof value !== 'string') refuse(place, 'a string or null', value);
  },
  usage: (value, place) => {
    const counts = checkRecord(value, place);
    const checks = { prompt: checkNumber, output: checkNumber, cached: checkNumber };
    checkFields(counts, place, { ...checks, thoughts: checkNumber });
  },
  latencyMs: checkNumber,
  chunkDelayMs: checkNumber,
  error: checkError,
  drop: oneOf('before', 'after'),
  endless: oneOf('stall', 'repeat'),
  rawBody: checkText,
};

export function checkTurn(turn: Readonly<Record<string, unknown>>, place: string): void {
  checkFields(turn, place, TURN);
}

/** Checks the fields that are given. Every field is optional. */
function checkFields(
  fields: Readonly<Record<string, unknown>>,
  place: string,
  checks: Readonly<Record<string, Check>>,
): void {
  for (const [key, check] of Object.entries(checks)) {
    if (fields[key] !== undefined) check(fields[key], `${place}.${key}`);
  }
}
