import { parseJsonLine } from './parse-json-line.js';

/** Limits of the work for a line that is only damaged: places at which two objects may meet, and its length. */
const MOST_SEAMS = 32;
const LONGEST_LINE = 4 * 1024 * 1024;

/**
 * Splits a line with several JSON objects that a crash or two writers have put next to each other (`{…}{…}`). Returns
 * the objects at the beginning and the rest that is no object; undefined if the line does not begin with two objects.
 */
export function splitGluedObjects(
  line: string,
): { readonly objects: readonly object[]; readonly rest: string } | undefined {
  if (line.length > LONGEST_LINE) return undefined;
  const objects: object[] = [];
  let start = 0;
  let seam = line.indexOf('}{');
  for (let seams = 0; seam !== -1 && seams < MOST_SEAMS; seams++) {
    const object = parseJsonLine(line.slice(start, seam + 1));
    if (object !== undefined) {
      objects.push(object);
      start = seam + 1;
    }
    seam = line.indexOf('}{', seam + 1);
  }
  if (objects.length === 0) return undefined;
  const last = parseJsonLine(line.slice(start));
  if (last !== undefined) return { objects: [...objects, last], rest: '' };
  return { objects, rest: line.slice(start) };
}
