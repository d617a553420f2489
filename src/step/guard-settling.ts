import type { RemoteWorkspace } from './remote-workspace.js';
import type { Step } from './step.js';

/** Leaves the session where the CLI has written it if the file system of its project does not answer. */
export function guardSettling(
  settle: Step['settleSession'],
  remote: RemoteWorkspace | undefined,
): Step['settleSession'] {
  if (settle === undefined || remote === undefined) return settle;
  return async (isFinal) => {
    if (await remote.answersSoon()) await settle(isFinal);
  };
}
