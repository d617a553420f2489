import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AgentEvent } from '../../../src/api/agent-event.js';
import type { NewLedgerEntry } from '../../../src/batch/ledger/ledger-entry.js';
import { formatLedgerLine } from '../../../src/batch/ledger/ledger-line.js';
import { BatchFolders } from '../../../src/batch/run/batch-folders.js';
import { createBatchId, writeMarker } from '../../../src/batch/state/batch-marker.js';
import { locateState } from '../../../src/batch/state/state-folder.js';
import { openStateKey } from '../../../src/batch/state/state-key.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { date } from '../ledger/record-ledger.js';

/** Writes the ledger of a batch, and the events of its steps by id, as if a batch had run there and was killed. */
export async function writeBatch(
  entries: readonly NewLedgerEntry[],
  events: Readonly<Record<string, readonly AgentEvent[]>> = {},
): Promise<BatchFolders> {
  const out = join(makeTree(), 'out');
  const folders = new BatchFolders(out, locateState(out, undefined));
  const batch = createBatchId();
  mkdirSync(out);
  await writeMarker(out, batch);
  mkdirSync(folders.stateDir, { recursive: true });
  const seal = openStateKey(folders.stateDir);
  const lines = date(entries).map((entry, index) => {
    return formatLedgerLine({ batch, token: 1, seq: index + 1, entry }, seal);
  });
  writeFileSync(folders.ledgerFile, lines.join(''));
  for (const [id, list] of Object.entries(events)) {
    const file = folders.out.eventsFile(id);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, list.map((event) => `${JSON.stringify(event)}\n`).join(''));
  }
  return folders;
}
