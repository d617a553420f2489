/** Cuts a long text and says how much is missing. */
export function cutText(text: string, most: number): string;
export function cutText(text: string | undefined, most: number): string | undefined;
export function cutText(text: string | undefined, most: number): string | undefined {
  if (text === undefined || text.length <= most) return text;
  return `${text.slice(0, most)}\n… ${text.length - most} more characters`;
}
