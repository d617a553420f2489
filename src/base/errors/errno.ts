/** Returns the code of a system error, such as `ENOENT`. Undefined for any other value. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** True if the value is a system error with one of these codes. */
export function hasErrno(error: unknown, ...codes: readonly string[]): boolean {
  const errno = errnoOf(error);
  return errno !== undefined && codes.includes(errno);
}
