import { compareText } from '../../base/text/compare-text.js';

/** Room of the blobs that list the requirements of labels. */
export const REQUIREMENT_ROOM = 'labels';
/** Form of a label, and of the name of a queue. */
export const NAME_FORM = /^[\w.-]{1,64}$/;
/** Form of the id of a job without its labels, also of one that another program has added. */
const JOB_FORM = /^[\w.-]{1,200}$/;
export const NAME_PROBLEM = 'must have 1 to 64 letters, digits, ".", "_" and "-"';

/** Most characters of all labels of a step together: they are part of names in the store, whose length PostgreSQL limits. */
export const MOST_LABEL_CHARACTERS = 500;

/** Names of BullMQ's own keys in Redis, which lie beside the jobs. */
const KEYS_OF_BULLMQ: ReadonlySet<string> = new Set([
  'active',
  'completed',
  'de',
  'delayed',
  'events',
  'failed',
  'id',
  'limiter',
  'marker',
  'meta',
  'paused',
  'pc',
  'prioritized',
  'repeat',
  'stalled',
  'stalled-check',
  'wait',
  'waiting-children',
]);

/**
 * True if a job may have this id. In Redis, the id of a job is part of a key: an id such as `meta` would name the settings of the
 * queue, which a cancel would remove.
 */
export function isJobId(id: string): boolean {
  const own = id.slice(id.lastIndexOf('~') + 1);
  const isPlain = labelsOfJob(id).every((label) => NAME_FORM.test(label));
  return isPlain && JOB_FORM.test(own) && !KEYS_OF_BULLMQ.has(own);
}

/** Returns the labels in order, each once: the same requirement is always the same queue. */
export function sortLabels(labels: readonly string[]): string[] {
  return [...new Set(labels)].sort(compareText);
}

/** Returns the name of the queue in the store for steps that ask for these labels. BullMQ forbids colons. */
export function queueNameOf(name: string, labels: readonly string[]): string {
  return labels.length === 0 ? name : `${name}+${labels.join('+')}`;
}

/** Returns the name under which workers hear of cancels. No list of labels gives this name. */
export function controlNameOf(name: string): string {
  return `${name}++control`;
}

/** True if a worker with these labels may run a step that asks for the others. */
export function satisfies(own: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((label) => own.includes(label));
}

/** Id of a job without the name of its queue, and the labels in front of it: `gpu+big~7f3a…`. */
export function joinJobId(labels: readonly string[], id: string): string {
  return labels.length === 0 ? id : `${labels.join('+')}~${id}`;
}

/** Returns the labels that a job with this id asks for: the id alone names the queue of the job. */
export function labelsOfJob(id: string): string[] {
  const at = id.lastIndexOf('~');
  return at < 0 ? [] : id.slice(0, at).split('+');
}
