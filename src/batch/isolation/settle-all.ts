/** As `Promise.all`, but nothing of it is still going on when one has failed: what it works on is removed then. */
export async function settleAll<T extends readonly unknown[] | []>(
  work: T,
): Promise<{ -readonly [P in keyof T]: Awaited<T[P]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
