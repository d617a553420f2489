export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the environment of this process. No other code reads `process.env`. */
export function readEnvironment(): Environment {
  return process.env;
}
