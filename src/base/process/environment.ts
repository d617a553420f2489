export type Environment = Readonly<Record<string, string | undefined>>;

/** Variable with the key that signs the state of batches. */
export const STATE_KEY_VARIABLE = 'GEMINI_CLI_PROVIDER_STATE_KEY';

/**
 * Variables that no child process gets: the key of the state, and the address, the secret and the login of the queue. With
 * them, a command of an agent could sign results that it never had, or jobs for every worker, and read the whole store.
 */
export const PRIVATE_VARIABLES: readonly string[] = [
  STATE_KEY_VARIABLE,
  'GEMINI_CLI_PROVIDER_QUEUE',
  'GEMINI_CLI_PROVIDER_QUEUE_SECRET',
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
