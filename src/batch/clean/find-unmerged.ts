import { join } from 'node:path';
import { readFolder } from '../../base/fs/read-folder.js';
import { LedgerFold } from '../ledger/fold-ledger.js';
import type { ReadLedger } from '../ledger/read-ledger.js';
import { readSealedFile } from '../state/sealed-file.js';

const RECORD = /^([0-9a-f]{16})\.json$/;

/**
 * Finds finished work that is not merged yet. Returns the steps with saved changes. If the ledger is damaged, all saved
 * changes count, by their ids: a lost line may have been about one of them.
 */
export function findUnmerged(stateDir: string, ledger: ReadLedger): readonly string[] {
  const folder = join(stateDir, 'saved');
  const ids = readFolder(folder).flatMap(({ name }) => RECORD.exec(name)?.[1] ?? []);
  const signed = ids.filter((id) => readSealedFile(join(folder, `${id}.json`)).kind === 'valid');
  if (signed.length === 0) return [];
  const waiting = findWaiting(ledger);
  const isWhole = ledger.batch !== undefined && ledger.damagedLines === 0;
  return signed.flatMap((id) => waiting.get(id) ?? (isWhole ? [] : id));
}

/** Maps the ids of saved changes to the steps that wait with them. */
function findWaiting({ entries }: ReadLedger): ReadonlyMap<string, string> {
  const fold = new LedgerFold();
  const steps = new Set<string>();
  for (const entry of entries) {
    fold.accept(entry);
    if (entry.type === 'saved') steps.add(entry.step);
  }
  return new Map(
    [...steps].flatMap((step) => {
      const changes = fold.stepState(step).saved?.changes;
      return changes === undefined ? [] : [[changes, step] as const];
    }),
  );
}
