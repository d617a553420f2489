/** The message of a thrown value. JavaScript can throw any value, so a value that is no Error is printed. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
