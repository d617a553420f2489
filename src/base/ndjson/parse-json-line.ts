/** The object on this line, or undefined where the line holds none. */
export function parseJsonLine(line: string): object | undefined {
  // A byte order mark counts as white space here.
  const text = line.trimStart();
  // Objects are all we look for; the check spares ordinary text the cost of an exception.
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
