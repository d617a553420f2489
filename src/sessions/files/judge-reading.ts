import type { Session } from '../../api/session.js';

export type ReadParts = Omit<Session, 'complete'>;

/** Whether a file was read to its end, by what was found in it and by its size before and after. */
export function judgeReading(session: ReadParts, sizeBefore: number, sizeAfter: number): Session {
  const { header, messages } = session;
  const diagnostics = [...session.diagnostics];
  if (sizeBefore === 0 && messages.length === 0 && header === undefined) {
    diagnostics.push({ kind: 'empty', message: 'The file is empty' });
  } else if (header === undefined) {
    diagnostics.push({ kind: 'no-header', message: 'Nothing says which session this is' });
  }
  if (sizeAfter > sizeBefore) {
    diagnostics.push({ kind: 'grew', message: 'The file grew while it was read' });
  }
  if (sizeAfter < sizeBefore) {
    diagnostics.push({ kind: 'truncated', message: 'The file was cut while it was read' });
  }
  return { ...session, diagnostics, complete: diagnostics.length === 0 };
}
