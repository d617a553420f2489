import { readInput } from '../base/errors/invalid-input.js';
import { findSizeProblem } from '../base/json/find-size-problem.js';
import { isObject } from '../base/json/is-object.js';
import { checkTurn } from './check-turn.js';
import { checkKeys, checkList, checkRecord, refuse } from './check-value.js';
import type { Script } from './script.js';

/** Most values in a script, in all its objects and lists together. */
const MOST_VALUES = 1_000_000;

/** Throws INVALID_INPUT that names the wrong entry. Without the check, the script would fail later, inside the CLI. */
export function checkScript(script: Script): void {
  readInput('script', () => {
    const problem = findSizeProblem(script, MOST_VALUES);
    if (problem !== undefined) refuse('script', `smaller: it ${problem}`, script);
    checkEntries(script);
  });
}

function checkEntries(script: Script): void {
  checkList(script, 'script', (entry, path) => {
    if (isObject(entry) && 'turns' in entry) checkRule(entry, path);
    // A misspelled rule looks like a turn, so its keys are suggested, too.
    else checkAnswer(entry, path, ['turns', 'prompt']);
  });
}

function checkRule(rule: Readonly<Record<string, unknown>>, path: string): void {
  const { prompt, turns } = rule;
  checkKeys(rule, path, ['prompt', 'turns']);
  const isPrompt =
    prompt === undefined ||
    typeof prompt === 'string' ||
    typeof prompt === 'function' ||
    prompt instanceof RegExp;
  if (!isPrompt) refuse(`${path}.prompt`, 'a string, a regular expression or a function', prompt);
  checkList(turns, `${path}.turns`, (answer, at) => checkAnswer(answer, at));
}

function checkAnswer(value: unknown, path: string, further: readonly string[] = []): void {
  // The turn that a function returns is checked when it is returned.
  if (typeof value === 'function') return;
  const answer = checkRecord(value, path);
  if (!('attempts' in answer)) {
    checkTurn(answer, path, ['attempts', ...further]);
    if ('prompt' in answer) refuse(`${path}.turns`, 'a list, beside prompt', answer['turns']);
    return;
  }
  checkKeys(answer, path, ['attempts']);
  const { attempts } = answer;
  checkList(attempts, `${path}.attempts`, (turn, at) => {
    if (typeof turn !== 'function') checkTurn(checkRecord(turn, at), at);
  });
  if (Array.isArray(attempts) && attempts.length === 0) {
    refuse(`${path}.attempts`, 'a list of at least one turn', attempts);
  }
}
