/** Returns the message of a thrown value. JavaScript can throw any value; a value that is no Error becomes a string. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
