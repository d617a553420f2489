import { checkTurn } from './check-turn.js';
import { checkList, checkRecord, isRecord, refuse } from './check-value.js';
import type { Script } from './script.js';

/** Throws a TypeError that names the wrong entry. Without the check, the script would fail later, inside the CLI. */
export function checkScript(script: Script): void {
  checkList(script, 'script', (entry, place) => {
    if (isRecord(entry) && 'turns' in entry) checkRule(entry, place);
    else checkAnswer(entry, place);
  });
}

function checkRule(rule: Readonly<Record<string, unknown>>, place: string): void {
  const { prompt, turns } = rule;
  const isPrompt =
    prompt === undefined ||
    typeof prompt === 'string' ||
    typeof prompt === 'function' ||
    prompt instanceof RegExp;
  if (!isPrompt) refuse(`${place}.prompt`, 'a string, a regular expression or a function', prompt);
  checkList(turns, `${place}.turns`, checkAnswer);
}

function checkAnswer(value: unknown, place: string): void {
  const answer = checkRecord(value, place);
  if (!('attempts' in answer)) {
    checkTurn(answer, place);
    return;
  }
  const { attempts } = answer;
  checkList(attempts, `${place}.attempts`, (turn, at) => checkTurn(checkRecord(turn, at), at));
  if (Array.isArray(attempts) && attempts.length === 0) {
    refuse(`${place}.attempts`, 'a list of at least one turn', attempts);
  }
}
