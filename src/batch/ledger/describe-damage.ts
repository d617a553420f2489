import type { BatchWarning } from '../../api/batch-report.js';
import { countOf } from '../../base/text/count-of.js';
import type { ReadLedger } from './read-ledger.js';

/** Builds the warnings about lines of a ledger that are not believed. */
export function describeDamage({
  tornLines,
  damagedLines,
}: Pick<ReadLedger, 'tornLines' | 'damagedLines'>): BatchWarning[] {
  const warnings: BatchWarning[] = [];
  if (tornLines > 0) {
    const count = countOf(tornLines, 'incomplete ledger line');
    const message = `Ignored ${count} (an earlier run was killed while writing): steps whose result was lost run again`;
    warnings.push({ code: 'TORN_LEDGER', message, steps: [] });
  }
  if (damagedLines > 0) {
    const count = countOf(damagedLines, 'ledger line');
    const message = `Ignored ${count} (damaged, missing, repeated, in another order, or not written by this batch): steps whose result was lost run again`;
    warnings.push({ code: 'DAMAGED_LEDGER', message, steps: [] });
  }
  return warnings;
}
