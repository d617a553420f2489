/** Values of a configuration by key. */
type Values = Readonly<Record<string, unknown>>;

/** A provider whose configuration limits what the steps of a queue may do. */
export interface LimitedProvider {
  /** Returns the options of a job. What the configuration of the provider forbids stays forbidden. */
  keepLimits(options: Values): Values;
}

/** True if the provider limits the steps of a queue. A wrapper of such a provider has to pass the limits on. */
export function hasLimits(provider: object): provider is LimitedProvider {
  return typeof Reflect.get(provider, 'keepLimits') === 'function';
}
