/** Parts of a name that make its value a secret: `GEMINI_API_KEY`, `DB_PASS`, `AUTHORIZATION`. */
const SECRET_NAME =
  /KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|PRIVATE|AUTHORIZATION|COOKIE|(?:^|[_-])(?:[A-Z]*PASS|PWD|AUTH|JWT|PAT)$/i;
/** Names of variables that hold a path, a socket or a folder. The path itself is no secret. */
const PATH_NAME =
  /(?:_FILE|_PATH|_DIR|_SOCK|_HOME)$|^(?:PWD|OLDPWD|INIT_CWD|SSH_ASKPASS|GIT_ASKPASS|GOOGLE_APPLICATION_CREDENTIALS|BYPASS|COMPASS)$/i;
/** Value of a variable such as `AWS_CREDENTIALS` that is the path of a file with an extension. */
const FILE_PATH = /^(?:~?[./]*\/|[A-Za-z]:[\\/])[^\s{]*\.[A-Za-z]{2,5}$/;

/** Shortest value that is hidden because of its name. Hiding shorter values would damage ordinary words. */
export const SHORTEST_SECRET = 8;

/** True for the name of a variable, a header or a field whose value is a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !PATH_NAME.test(name);
}

/** True if the variable is a secret by its name, and its value is neither a path nor too short. */
export function isSecretVariable(name: string, value: string): boolean {
  if (!isSecretName(name) || value.length < SHORTEST_SECRET) return false;
  return !(/CREDENTIALS?$/i.test(name) && FILE_PATH.test(value));
}
