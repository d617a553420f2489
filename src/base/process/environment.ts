export type Environment = Readonly<Record<string, string | undefined>>;

/** Variable with the key that signs the state of batches. */
export const STATE_KEY_VARIABLE = 'GEMINI_CLI_PROVIDER_STATE_KEY';

/**
 * Variables of this package that no child process gets, also if an option names them: the key of the state, and the address and the secret
 * of the queue. With them, a command of an agent could sign results that it never had, or jobs for every worker.
 */
export const OWN_VARIABLES: readonly string[] = [
  STATE_KEY_VARIABLE,
  'GEMINI_CLI_PROVIDER_QUEUE',
  'GEMINI_CLI_PROVIDER_QUEUE_SECRET',
];

/**
 * Variables that no child process inherits: those of this package, and the login of the store of a queue, with which a command of
 * an agent could read the whole store. A test may need the login of another database: the option `env` can name it.
 */
export const PRIVATE_VARIABLES: readonly string[] = [
  ...OWN_VARIABLES,
  'PGPASSWORD',
  'PGPASSFILE',
  'REDIS_PASSWORD',
];

/** Environment that removes the private variables from an inherited one. */
export const WITHOUT_PRIVATE: Environment = Object.fromEntries(
  PRIVATE_VARIABLES.map((name) => [name, undefined]),
);

/** Returns the environment of this process. No other code reads `process.env`. */
export function readEnvironment(): Environment {
  return process.env;
}
