import { isObject } from '../../base/json/is-object.js';
import type { DocumentFault, ParsedDocument } from './parse-document.js';
import { parseJson } from './parse-json.js';
import type { PlanPath } from './plan-source.js';
import { UnreadableStep } from './unreadable-step.js';

/** Keys that only a step has. A first line with one of them is a step, not the head of the plan. */
const STEP_KEYS = ['id', 'prompt', 'promptFile', 'prompt_file'];

/** Reads a plan of JSON lines. Each line is a step; the first line may hold the other keys of the plan. */
export function readJsonLines(text: string): ParsedDocument {
  const faults: DocumentFault[] = [];
  const steps: unknown[] = [];
  const lineOfStep: number[] = [];
  let head: object = {};
  let headLine = 1;
  let isFirst = true;
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  for (const [index, source] of lines.entries()) {
    if (source.trim() === '') continue;
    const line = index + 1;
    const parsed = parseJson(source);
    const isHead = isFirst && isPlanHead(parsed.content);
    const at: PlanPath = isHead ? [] : ['steps', steps.length];
    for (const { path, problem } of parsed.faults) {
      faults.push({ path: [...at, ...path], problem, line });
    }
    isFirst = false;
    if (isHead) {
      head = parsed.content;
      headLine = line;
    } else {
      steps.push(parsed.content === undefined ? new UnreadableStep(source) : parsed.content);
      lineOfStep.push(line);
    }
  }
  if ('steps' in head && steps.length > 0) {
    faults.push({
      path: ['steps'],
      line: headLine,
      problem: 'must not be given here: the next lines are the steps',
    });
  }
  return {
    content: isFirst ? undefined : { steps, ...head },
    faults,
    lineOf: ([list, index]) => {
      const ofStep = list === 'steps' && typeof index === 'number';
      return (ofStep ? lineOfStep[index] : undefined) ?? headLine;
    },
  };
}

function isPlanHead(content: unknown): content is object {
  return isObject(content) && !STEP_KEYS.some((key) => Object.hasOwn(content, key));
}
