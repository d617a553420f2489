/** Returns the one-time code in what a person has pasted: the code itself, or the whole link. */
export function readPairingCode(text: string): string {
  return /#pair=([\w-]+)/.exec(text)?.[1] ?? text.trim();
}
