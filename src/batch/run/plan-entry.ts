import { dirname, relative } from 'node:path';
import type { ExpandedPlan } from '../../api/batch-plan.js';
import { isInside, toSlashes } from '../../base/fs/paths.js';
import type { NewLedgerEntry } from '../ledger/ledger-entry.js';
import { createNeedsShortener } from './shorten-needs.js';

/** The plan as the ledger has it: what the reports need to know. */
export function toPlanEntry({ name, hash, steps }: ExpandedPlan): NewLedgerEntry {
  const shorten = createNeedsShortener(steps);
  const folderOf = ({ config }: (typeof steps)[number]): string => String(config['workingDir']);
  const root = findCommonFolder(new Set(steps.map(folderOf)));
  return {
    type: 'plan',
    name,
    planHash: hash,
    steps: steps.map((step) => ({
      id: step.id,
      planId: step.planId,
      needs: shorten(step.needs),
      isolation: step.isolation,
      folder: toSlashes(relative(root, folderOf(step))),
    })),
  };
}

function findCommonFolder(folders: ReadonlySet<string>): string {
  let [common = ''] = folders;
  for (const folder of folders) {
    // Two disks of Windows have nothing in common.
    while (!isInside(common, folder) && dirname(common) !== common) common = dirname(common);
  }
  return common;
}
