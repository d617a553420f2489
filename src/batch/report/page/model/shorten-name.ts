/** Shorter names would say nothing. */
const SHORTEST = 5;

/**
 * Shortens a name in its middle, because ids of a matrix differ at the end. Returns an empty text if there is no room. Counts
 * characters, not UTF-16 units: half a character would be shown as a replacement character.
 */
export function shortenName(name: string, room: number): string {
  if (name.length <= room) return name;
  const characters = Array.from(name);
  if (characters.length <= room) return name;
  if (room < SHORTEST) return '';
  const head = Math.ceil((room - 1) * 0.3);
  const tail = room - 1 - head;
  return `${characters.slice(0, head).join('')}…${characters.slice(-tail).join('')}`;
}
