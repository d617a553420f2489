import { isPlainObject } from '../../base/json/is-plain-object.js';
import { describeProcess, type ProcessFacts } from '../../base/process/process-identity.js';

/** Hashes of files by absolute path. Null stands for a removed file, or for one that is too large to be hashed. */
export type FileHashes = Readonly<Record<string, string | null>>;

/** What is kept of a step on the disk, so that later processes know the protected files that the step has changed. */
export interface StepRecord {
  readonly generationId: string;
  /** Real path of the working directory. */
  readonly workspace: string;
  readonly owner: ProcessFacts;
  /** Protected files before the step. Absent if the step has ended and its changes are known. */
  readonly before?: FileHashes | undefined;
  /** True if the whole workspace was searched for the files in `before`. */
  readonly isDeep?: boolean | undefined;
  /** Protected files that the step has changed, as the step left them. */
  readonly changed: FileHashes;
  /** True if the step did not end: another program may have changed the files meanwhile. */
  readonly isAssumed?: boolean | undefined;
}

/** Takes the record of another process. Returns undefined for anything of another form. */
export function parseStepRecord(value: unknown): StepRecord | undefined {
  if (!isPlainObject(value)) return undefined;
  const { generationId, workspace, owner, before, isDeep, changed, isAssumed } = value;
  const facts = parseOwner(owner);
  const isValid =
    typeof generationId === 'string' && typeof workspace === 'string' && isHashes(changed);
  if (!isValid || facts === undefined) return undefined;
  return {
    generationId,
    workspace,
    owner: facts,
    changed,
    isAssumed: isAssumed === true,
    ...(isHashes(before) ? { before, isDeep: isDeep === true } : {}),
  };
}

/**
 * True if the process of the step is not at work any more. A process of an earlier boot of this machine has ended. That
 * of another container or machine may be at work.
 */
export function hasOwnerEnded(
  { owner }: StepRecord,
  isKnownDead: (facts: ProcessFacts) => boolean,
): boolean {
  const here = describeProcess();
  const isEarlierBoot =
    owner.host === here.host && owner.boot !== undefined && owner.boot !== here.boot;
  return isEarlierBoot || isKnownDead(owner);
}

function parseOwner(value: unknown): ProcessFacts | undefined {
  if (!isPlainObject(value)) return undefined;
  const { id, pid, host, startTime, boot, pidNamespace } = value;
  if (typeof id !== 'string' || typeof pid !== 'number' || typeof host !== 'string')
    return undefined;
  return {
    id,
    pid,
    host,
    ...(typeof startTime === 'number' ? { startTime } : {}),
    ...(typeof boot === 'string' ? { boot } : {}),
    ...(typeof pidNamespace === 'string' ? { pidNamespace } : {}),
  };
}

function isHashes(value: unknown): value is FileHashes {
  return (
    isPlainObject(value) &&
    Object.values(value).every((hash) => hash === null || typeof hash === 'string')
  );
}
