import type { BatchEvent } from '../../api/batch-event.js';
import type { Closers } from './open-ledger.js';
import type { OutputFolder } from './output-folder.js';
import { WaitingLine } from './waiting-line.js';

/** A resumed batch finishes all its steps at once: without a limit, it would open a file for each of them. */
export const WRITES_AT_ONCE = 16;

type Emit = (event: BatchEvent) => void;

/** Wraps `emit`: passes each event on and writes events and results of steps to their folders. */
export function writeStepFiles(out: OutputFolder, emit: Emit, closers: Closers): Emit {
  const writing = new Map<string, Promise<void>>();
  const waiting = new WaitingLine(WRITES_AT_ONCE);
  const after = (id: string, action: () => Promise<void>): void => {
    const next = (writing.get(id) ?? Promise.resolve())
      .then(action)
      // A failed write is ignored, because the ledger has the results: `batch report` can create the files again.
      .catch(() => {})
      .then(() => {
        if (writing.get(id) === next) writing.delete(id);
      });
    writing.set(id, next);
    out.track(next);
  };
  closers.push(async () => {
    await Promise.all(writing.values());
    await out.endSteps();
  });
  return (event) => {
    emit(event);
    if (event.type === 'step-started') after(event.stepId, () => out.beginStep(event.stepId));
    if (event.type === 'step-progress') {
      after(event.stepId, async () => out.addEvent(event.stepId, event.event));
    }
    if (event.type === 'step-retry') after(event.stepId, () => out.endStep(event.stepId));
    // Reused results are written too: an earlier run may have been killed before it wrote the file.
    if (event.type === 'step-finished') {
      after(event.stepId, async () => {
        await out.endStep(event.stepId);
        await waiting.run(() => out.writeStep(event.report));
      });
    }
  };
}
