/** Joins names for a sentence: `a`, `a or b`, `a, b or c`. */
export function listNames(names: readonly string[], word = 'or'): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} ${word} ${last}`;
}
