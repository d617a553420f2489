import type { StepReport } from '../../../../api/step-report.js';
import { formatDuration, formatNumber } from '../../../../web/model/format.js';
import { plainOutput } from '../../../../web/reveal-controls.js';
import { type Child, h } from '../../../../web/view/element.js';
import { longText } from '../../../../web/view/long-text.js';
import { showMore } from '../../../../web/view/show-more.js';
import type {
  ToolVerdict,
  Transcript,
  TranscriptEntry,
  TranscriptText,
  TranscriptTool,
} from '../../transcript/transcript.js';
import { type AttemptTranscript, splitByAttempt } from '../model/step-details.js';
import { icon } from './icon.js';
import { name } from './name.js';

const ENTRIES_AT_ONCE = 60;
const CALLS_AT_ONCE = 30;

const WORDS: Readonly<Record<TranscriptText['kind'], string>> = {
  prompt: 'Prompt',
  text: 'Model',
  thinking: 'Thought',
  plan: 'Plan',
  status: 'Status',
  repair: 'Repair',
  error: 'Failure',
};

const ICONS = {
  completed: 'succeeded',
  failed: 'failed',
  denied: 'skipped',
  open: 'pending',
} as const satisfies Readonly<Record<ToolVerdict, string>>;

const VERDICTS: Readonly<Record<ToolVerdict, string>> = {
  completed: 'completed',
  failed: 'failed',
  denied: 'denied',
  open: 'no result',
};

/** Renders the tool calls of a step as a list: tool, arguments, verdict, duration. */
export function toolCallList(calls: readonly TranscriptTool[]): HTMLElement {
  return showMore(h('ul', { class: 'calls' }), calls, CALLS_AT_ONCE, (call) =>
    h('li', { class: 'call' }, ...callParts(call)),
  );
}

/** Renders the transcript of a step, one part for each attempt. */
export function transcriptView(step: StepReport, transcript: Transcript): HTMLElement {
  return h(
    'div',
    { class: 'transcript' },
    transcript.isCut &&
      h(
        'p',
        { class: 'dim' },
        'Earlier entries are left out. The events file of the step has all.',
      ),
    ...splitByAttempt(transcript, step).map((part) => attemptPart(step, part)),
  );
}

function attemptPart(step: StepReport, { number, entries }: AttemptTranscript): HTMLElement {
  const isNamed = number !== undefined && step.attempts.length > 1;
  return h(
    'div',
    {},
    isNamed && h('h4', {}, `Attempt ${number}`),
    showMore(h('ol', { class: 'entries' }), entries, ENTRIES_AT_ONCE, (entry) =>
      // The name of each scrolling region is unique, so that screen readers can tell them apart.
      entryItem(entry, `${number ?? 0}.${entries.indexOf(entry) + 1}`),
    ),
  );
}

function entryItem(entry: TranscriptEntry, place: string): HTMLElement {
  if (entry.kind === 'tool') return toolItem(entry, place);
  const word = WORDS[entry.kind];
  const { cut = 0 } = entry;
  return h(
    'li',
    { class: `entry is-${entry.kind}` },
    h('span', { class: 'entry-kind' }, word),
    h(
      'div',
      { class: 'entry-text' },
      longText(entry.text, `${word} ${place}`),
      cut > 0 && h('p', { class: 'dim' }, `${formatNumber(cut)} more characters`),
    ),
  );
}

function toolItem(call: TranscriptTool, place: string): HTMLElement {
  const output = plainOutput(call.output ?? '').trim();
  return h(
    'li',
    { class: 'entry is-tool' },
    h('span', { class: 'entry-kind' }, 'Tool'),
    h(
      'div',
      { class: 'entry-text' },
      h('div', { class: 'call' }, ...callParts(call)),
      output !== '' &&
        h(
          'details',
          {},
          h('summary', {}, 'Output'),
          longText(output, `Output of ${call.tool} ${place}`),
        ),
    ),
  );
}

function callParts(call: TranscriptTool): readonly Child[] {
  const { tool, summary, verdict, durationMs } = call;
  return [
    icon(ICONS[verdict], VERDICTS[verdict]),
    h('code', { class: 'call-tool' }, name(tool)),
    h('code', { class: 'call-summary', title: summary }, name(summary)),
    h('span', { class: 'dim call-verdict' }, verdict === 'completed' ? '' : VERDICTS[verdict]),
    h('span', { class: 'dim number' }, durationMs === undefined ? '' : formatDuration(durationMs)),
  ];
}
