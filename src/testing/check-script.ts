import { checkTurn } from './check-turn.js';
import { checkList, checkRecord, isRecord, refuse } from './check-value.js';
import type { Script } from './script.js';

/** Throws a TypeError that names the wrong entry. Without the check, the script would fail later, inside the CLI. */
export function checkScript(script: Script): void {
  checkList(script, 'script', (entry, path) => {
    if (isRecord(entry) && 'turns' in entry) checkRule(entry, path);
    else checkAnswer(entry, path);
  });
}

function checkRule(rule: Readonly<Record<string, unknown>>, path: string): void {
  const { prompt, turns } = rule;
  const isPrompt =
    prompt === undefined ||
    typeof prompt === 'string' ||
    typeof prompt === 'function' ||
    prompt instanceof RegExp;
  if (!isPrompt) refuse(`${path}.prompt`, 'a string, a regular expression or a function', prompt);
  checkList(turns, `${path}.turns`, checkAnswer);
}

function checkAnswer(value: unknown, path: string): void {
  const answer = checkRecord(value, path);
  if (!('attempts' in answer)) {
    checkTurn(answer, path);
    return;
  }
  const { attempts } = answer;
  checkList(attempts, `${path}.attempts`, (turn, at) => checkTurn(checkRecord(turn, at), at));
  if (Array.isArray(attempts) && attempts.length === 0) {
    refuse(`${path}.attempts`, 'a list of at least one turn', attempts);
  }
}
