import { dirname, relative } from 'node:path';
import type { ExpandedPlan } from '../../api/batch-plan.js';
import { isInside, toSlashes } from '../../base/fs/paths.js';
import type { NewLedgerEntry } from '../ledger/ledger-entry.js';
import { createNeedsShortener } from './shorten-needs.js';

/** Maps a plan to its ledger entry, which holds what the reports need. */
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
      ...(step.continueOnError === true ? { continueOnError: true } : {}),
    })),
  };
}

function findCommonFolder(folders: ReadonlySet<string>): string {
  let [common = ''] = folders;
  for (const folder of folders) {
    // Folders on two drives of Windows have no common folder: the loop ends at the root of a drive.
    while (!isInside(common, folder) && dirname(common) !== common) common = dirname(common);
  }
  return common;
}
