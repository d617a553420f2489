import type { BatchFile } from '../../../../api/batch-report.js';
import type { ManifestFile } from '../../../../api/manifest.js';
import { formatBytes, formatNumber } from '../../../../web/model/format.js';
import { languageOf } from '../../../../web/model/language-of.js';
import { countChangedLines, parseDiff } from '../../../../web/model/parse-diff.js';
import { diffTable } from '../../../../web/view/diff-table.js';
import { type Child, h } from '../../../../web/view/element.js';
import { facts } from '../../../../web/view/facts.js';
import { kindBadge } from '../../../../web/view/kind-badge.js';
import { showMore } from '../../../../web/view/show-more.js';
import { type FileChange, findChanges, type PageModel } from '../model/page-model.js';
import { icon } from './icon.js';
import { name, stepLink } from './name.js';
import { sensitiveBanner } from './sensitive.js';

const CHANGES_AT_ONCE = 5;

/** Renders a file with its changes, one block for each step. */
export function fileDetail(model: PageModel, file: BatchFile): readonly Child[] {
  const changes = findChanges(model, file);
  return [
    facts([
      ['Change', kindBadge(file.kind), file.kind],
      ['Size', file.kind === 'deleted' ? undefined : formatBytes(file.bytes)],
      ['SHA-256 before', hash(file.sha256Before)],
      ['SHA-256 after', hash(file.sha256After)],
    ]),
    sensitiveBanner(file),
    file.conflicts.length > 0 && conflictBanner(file),
    showMore(h('div'), changes, CHANGES_AT_ONCE, (change) => changeBlock(file, change)),
  ];
}

function hash(value: string | undefined): Child {
  return value === undefined ? undefined : h('code', { title: value }, name(value.slice(0, 16)));
}

function conflictBanner({ conflicts }: BatchFile): HTMLElement {
  return h(
    'div',
    { class: 'banner is-conflict', role: 'note' },
    icon('warning'),
    h(
      'div',
      {},
      h('strong', {}, 'Conflict'),
      ' between steps that wrote this file at the same time, or whose changes could not be merged:',
      h('ul', { class: 'names' }, ...conflicts.map((id) => h('li', {}, stepLink(id)))),
    ),
  );
}

function changeBlock({ path }: BatchFile, { stepId, file }: FileChange): HTMLElement {
  const hunks = file?.diff === undefined ? [] : parseDiff(file.diff);
  const { added, removed } = countChangedLines(hunks);
  return h(
    'section',
    { class: 'change', 'data-step': stepId },
    h(
      'h3',
      {},
      file !== undefined && kindBadge(file.kind),
      stepLink(stepId),
      hunks.length > 0 && h('span', { class: 'added' }, `+${formatNumber(added)}`),
      hunks.length > 0 && h('span', { class: 'removed' }, `−${formatNumber(removed)}`),
      ...(file === undefined ? [] : remarksOf(file)),
    ),
    hunks.length > 0
      ? diffTable(hunks, languageOf(path))
      : h('p', { class: 'empty' }, whyNoDiff(file)),
  );
}

function remarksOf(file: ManifestFile): readonly Child[] {
  return [
    file.tools.length > 0 && h('span', { class: 'dim' }, name(file.tools.join(', '))),
    !file.confirmed && h('span', { class: 'note is-warning' }, 'not confirmed on the disk'),
    file.outsideWorkspace && h('span', { class: 'note is-warning' }, 'outside the workspace'),
    file.symlinkTarget !== undefined &&
      h('span', { class: 'dim' }, 'link to ', name(file.symlinkTarget)),
  ];
}

function whyNoDiff(file: ManifestFile | undefined): string {
  if (file === undefined) return 'The step does not list this file.';
  if (file.kind === 'unchanged') return 'The content is the same as before.';
  return 'No diff: the file is empty, binary or very large, or its old content is not known.';
}
