export type Environment = Readonly<Record<string, string | undefined>>;

/** The only place that reads the environment of this process. */
export function readEnvironment(): Environment {
  return process.env;
}
