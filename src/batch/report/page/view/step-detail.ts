import type { StepReport } from '../../../../api/step-report.js';
import { describeCost } from '../../../../base/usage/describe-cost.js';
import { formatDuration, formatNumber } from '../../../../web/model/format.js';
import { type Child, h } from '../../../../web/view/element.js';
import { block, facts } from '../../../../web/view/facts.js';
import { highlightLines, renderCode } from '../../../../web/view/highlight.js';
import { kindBadge } from '../../../../web/view/kind-badge.js';
import { longText } from '../../../../web/view/long-text.js';
import { prose } from '../../../../web/view/prose.js';
import { showMore } from '../../../../web/view/show-more.js';
import { hasDuration } from '../model/attempt-kind.js';
import { filesOfStep, type PageModel } from '../model/page-model.js';
import { expectationsOf, toolCallsOf } from '../model/step-details.js';
import { modelsOfStep, tokensOfStep } from '../model/step-tokens.js';
import { attemptList } from './attempts.js';
import { expectationList } from './expectation-list.js';
import { failure } from './failure.js';
import { icon } from './icon.js';
import { fileLink, matrixLink, name, stepLink } from './name.js';
import { deniedList, warningList } from './remarks.js';
import { sensitiveNote } from './sensitive.js';
import { ofAllAttempts, remarksOf, sessionCommand, workBanner } from './step-remarks.js';
import { toolCallList, transcriptView } from './transcript-view.js';

const FILES_AT_ONCE = 50;
const NEEDS_AT_ONCE = 20;

export function stepDetail(model: PageModel, step: StepReport): readonly Child[] {
  const files = filesOfStep(step);
  const text = step.text ?? step.error?.partial?.text ?? '';
  const textTitle = step.text === undefined ? 'Text before the failure' : 'Text';
  const expectations = expectationsOf(step);
  const transcript = model.transcripts.get(step.id);
  const calls = transcript === undefined ? [] : toolCallsOf(transcript);
  return [
    stepFacts(model, step),
    step.skippedBecauseOf !== undefined &&
      h(
        'p',
        { class: 'banner is-skipped' },
        icon('skipped'),
        h('span', {}, 'Skipped because of ', stepLink(step.skippedBecauseOf), '.'),
      ),
    step.skip !== undefined && h('p', { class: 'dim' }, ...prose(step.skip.message)),
    step.state === 'pending' &&
      h(
        'p',
        { class: 'banner' },
        icon('pending'),
        'Pending: this step runs when the batch is resumed.',
      ),
    ...workBanner(step),
    step.error !== undefined && block('Failure', failure(step, true)),
    expectations.length > 0 && block('Expectations', expectationList(expectations)),
    step.attempts.length > 0 && block('Attempts', attemptList(step)),
    calls.length > 0 && block(`Tool calls (${formatNumber(calls.length)})`, toolCallList(calls)),
    step.warnings.length > 0 && block('Warnings', warningList(step)),
    step.deniedTools.length > 0 && block('Denied tools', deniedList(step)),
    files.length > 0 &&
      block(
        `Files (${formatNumber(files.length)})`,
        showMore(h('ul', { class: 'file-list' }), files, FILES_AT_ONCE, (file) =>
          h(
            'li',
            {},
            kindBadge(file.kind),
            fileLink(file.path),
            !file.confirmed && h('span', { class: 'note is-warning' }, 'not confirmed'),
            file.outsideWorkspace && h('span', { class: 'note is-warning' }, 'outside'),
            ...sensitiveNote(file),
          ),
        ),
      ),
    step.prompt !== undefined && block('Prompt', longText(step.prompt, 'Prompt')),
    text !== '' && block(textTitle, longText(text, textTitle)),
    step.data !== undefined && block('Data', dataBlock(step.data)),
    transcript !== undefined && block('Transcript', transcriptView(step, transcript)),
    ...remarksOf(model, step),
  ];
}

function stepFacts({ neededBy, stepById }: PageModel, step: StepReport): HTMLElement {
  const tokens = tokensOfStep(step);
  const models = modelsOfStep(step).map(({ model }) => model);
  const shownModels = models.length > 0 ? models : [step.model ?? ''];
  return facts([
    [
      'State',
      icon(step.state),
      step.reused ? `${step.state}, reused from an earlier run` : step.state,
    ],
    ['Duration', hasDuration(step) ? formatDuration(step.durationMs) : undefined],
    ['Waited', step.waitMs > 0 ? formatDuration(step.waitMs) : undefined],
    [
      'Tokens',
      tokens.total > 0
        ? `${formatNumber(tokens.total)} (${formatNumber(tokens.input)} in, ${formatNumber(tokens.cached)} of it cached, ${formatNumber(tokens.output)} out, ${formatNumber(tokens.thoughts)} thoughts)${ofAllAttempts(step)}`
        : undefined,
    ],
    ['Cost', step.cost === undefined ? undefined : describeCost(step.cost)],
    ['Tool calls', step.usage === undefined ? undefined : formatNumber(step.usage.toolCalls)],
    ['Model', shownModels.join('') === '' ? undefined : name(shownModels.join(', '))],
    ['Commit', step.commit],
    ['Session', step.sessionId === undefined ? undefined : sessionCommand(step.sessionId)],
    ['Isolation', step.isolation],
    ['If it fails', step.continueOnError === true ? 'the batch goes on' : undefined],
    ['In the plan', step.planId === step.id ? undefined : name(step.planId)],
    ['Needs', stepNames(step.needs, (id) => (stepById.has(id) ? stepLink(id) : matrixLink(id)))],
    ['Needed by', stepNames(neededBy(step), stepLink)],
  ]);
}

function stepNames(ids: readonly string[], toLink: (id: string) => HTMLElement): Child {
  if (ids.length === 0) return undefined;
  return showMore(h('ul', { class: 'names' }), ids, NEEDS_AT_ONCE, (id) => h('li', {}, toLink(id)));
}

function dataBlock(data: unknown): HTMLElement {
  const json = JSON.stringify(data, null, 2);
  const lines = highlightLines(json, 'json');
  if (lines === undefined) return longText(json, 'Data');
  const texts = json.split('\n');
  const code = texts.flatMap((text, index) => [
    index > 0 && '\n',
    ...renderCode(text, lines[index]),
  ]);
  return h('pre', { class: 'text', tabindex: 0, role: 'region', 'aria-label': 'Data' }, ...code);
}
