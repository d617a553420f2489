/** A provider that tells the user about its connection. The view of a command comes later than the provider. */
export interface ConnectionNotices {
  /** Shows a text to the user. */
  show: (text: string) => void;
}

/** Lets a provider in front of a queue show what happens to its connection. Other providers have none. */
export function showConnection(provider: unknown, show: (text: string) => void): void {
  if (hasNotices(provider)) provider.notices.show = show;
}

function hasNotices(value: unknown): value is { readonly notices: ConnectionNotices } {
  if (typeof value !== 'object' || value === null || !('notices' in value)) return false;
  const { notices } = value;
  return typeof notices === 'object' && notices !== null && 'show' in notices;
}
