import { fromAnswer } from '../../../../src/batch/isolation/remote/answer-call.js';
import type {
  HostAnswer,
  HostMethods,
  WorkspaceKey,
} from '../../../../src/batch/isolation/remote/host-methods.js';
import { IsolationHost } from '../../../../src/batch/isolation/remote/isolation-host.js';
import type { ChangesHost } from '../../../../src/batch/isolation/remote/remote-change-set.js';

/** A host inside of this process, whose calls and answers are copied as on their way between two processes. */
export interface TestHost extends ChangesHost {
  readonly host: IsolationHost;
  readonly removed: readonly WorkspaceKey[];
}

export function openTestHost(): TestHost {
  const host = new IsolationHost();
  const removed: WorkspaceKey[] = [];
  return {
    host,
    removed,
    call: async <M extends keyof HostMethods>(
      method: M,
      ...args: Parameters<HostMethods[M]>
    ): Promise<Awaited<ReturnType<HostMethods[M]>>> => {
      const answer = await host.serve(structuredClone({ method, args }));
      if (!isAnswer<Awaited<ReturnType<HostMethods[M]>>>(answer)) throw new Error('No answer');
      const end = fromAnswer(structuredClone(answer));
      if (end.status === 'rejected') throw end.reason;
      return end.value;
    },
    remove: (key) => void removed.push(key),
  };
}

function isAnswer<T>(value: unknown): value is HostAnswer<T> {
  return typeof value === 'object' && value !== null;
}
