/** Parses the JSON object on a line. Undefined if the line contains none. */
export function parseJsonLine(line: string): object | undefined {
  // `trimStart` also removes a byte order mark.
  const text = line.trimStart();
  // Check the first character: for ordinary text, this avoids the cost of an exception.
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
