import { relative } from 'node:path';
import type { ExpandedPlan } from '../../api/batch-plan.js';
import type { BatchEnvironment } from '../../api/batch-report.js';
import { findCommonFolder, toSlashes } from '../../base/fs/paths.js';
import type { NewLedgerEntry } from '../ledger/ledger-entry.js';
import { createNeedsShortener } from './shorten-needs.js';

/** Facts of one run that are not in the plan. */
export interface RunFacts {
  /** Ids of the steps that the run leaves out. */
  readonly leftOut?: readonly string[] | undefined;
  readonly environment?: BatchEnvironment | undefined;
}

/** Maps a plan to its ledger entry, which holds what the reports need. */
export function toPlanEntry(
  { name, hash, steps }: ExpandedPlan,
  { leftOut = [], environment }: RunFacts = {},
): NewLedgerEntry {
  const shorten = createNeedsShortener(steps);
  const folderOf = ({ config }: (typeof steps)[number]): string => String(config['workingDir']);
  const root = findCommonFolder(new Set(steps.map(folderOf)));
  return {
    type: 'plan',
    name,
    planHash: hash,
    environment,
    steps: steps.map((step) => ({
      id: step.id,
      planId: step.planId,
      needs: shorten(step.needs),
      isolation: step.isolation,
      folder: toSlashes(relative(root, folderOf(step))),
      ...(step.continueOnError === true ? { continueOnError: true } : {}),
    })),
    ...(leftOut.length === 0 ? {} : { leftOut }),
  };
}
