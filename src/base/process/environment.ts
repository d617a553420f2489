export type Environment = Readonly<Record<string, string | undefined>>;

/** Variable with the key that signs the state of batches. No child process gets the variable. */
export const STATE_KEY_VARIABLE = 'GEMINI_CLI_PROVIDER_STATE_KEY';

/** Returns the environment of this process. No other code reads `process.env`. */
export function readEnvironment(): Environment {
  return process.env;
}
