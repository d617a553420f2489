import type { StepReport } from '../../../../api/step-report.js';
import { formatCount, formatNumber, formatTime } from '../../../../web/model/format.js';
import { type Child, h } from '../../../../web/view/element.js';
import type { CutPart } from '../../packed/packed-report.js';
import type { PageModel } from '../model/page-model.js';
import { icon } from './icon.js';
import { name } from './name.js';

/** Renders what a step of a running batch is doing. */
export function workBanner(step: StepReport): readonly Child[] {
  if (step.state !== 'running' && step.state !== 'merging') return [];
  const { number = 1, startedAt = '' } = step.attempts.at(-1) ?? {};
  const text =
    step.state === 'running'
      ? `Running: attempt ${number} since ${formatTime(startedAt)}.`
      : 'The agent has finished. The changes wait for their merge.';
  return [h('p', { class: `banner is-${step.state}` }, icon(step.state), text)];
}

/** Says that tokens are those of all attempts, if there was more than one. */
export function ofAllAttempts({ attempts }: StepReport): string {
  const last = attempts.at(-1)?.usage?.total;
  if (attempts.length < 2) return '';
  const ofLast = last === undefined ? '' : `, ${formatNumber(last)} of the last`;
  return `, of ${formatCount(attempts.length, 'attempt')}${ofLast}`;
}

/** Renders the id of a session with the command that continues the session. */
export function sessionCommand(sessionId: string): HTMLElement {
  const isPlain = /^[\w-]+$/.test(sessionId);
  return h(
    'span',
    {},
    h('code', {}, name(sessionId)),
    isPlain &&
      h(
        'span',
        { class: 'command' },
        h('span', { class: 'dim' }, 'continue it: '),
        h('code', {}, `npx gemini-cli-provider run --resume ${sessionId} "…"`),
      ),
  );
}

const PARTS: Readonly<Record<CutPart, string>> = {
  prompt: 'prompt',
  text: 'text',
  data: 'data',
  diffs: 'diffs',
  files: 'list of files',
};

/** Renders which parts of the step the page does not have, and which files have them. */
export function remarksOf(model: PageModel, step: StepReport): readonly Child[] {
  const cut = model.cutParts.get(step.id) ?? [];
  const hasTranscript = model.transcripts.has(step.id) || step.attempts.length === 0;
  const remarks = [
    step.leftOut === true && step.attempts.length > 0
      ? 'The last run was told to leave out this step. What you see is of an earlier run.'
      : '',
    cut.length === 0
      ? ''
      : `Shortened on this page: ${cut.map((part) => PARTS[part]).join(', ')}. result.json and diff.patch in the folder of the step have all.`,
    hasTranscript
      ? ''
      : 'This page has no transcript of the step. The events are in events.jsonl in the folder of the step, below steps/ in the output folder.',
  ].filter(Boolean);
  return remarks.map((text) => h('p', { class: 'dim remark' }, text));
}
