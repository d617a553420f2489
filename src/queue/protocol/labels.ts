import { compareText } from '../../base/text/compare-text.js';

/** Room of the blobs that list the requirements of labels. */
export const REQUIREMENT_ROOM = 'labels';
/** Form of a label, and of the name of a queue. */
export const NAME_FORM = /^[\w.-]{1,64}$/;
export const NAME_PROBLEM = 'must have 1 to 64 letters, digits, ".", "_" and "-"';

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
