import { type Output, print } from '../output/output.js';

/** Beginning of a URL with a password, and what follows the password. */
const PASSWORD = /([a-z][a-z0-9+.-]*:\/\/[^\s/?#:@]*):[^\s/?#]*@/gi;
/** Beginning of a URL of Redis with a user alone: often, that is the password in the wrong place. */
const REDIS_USER = /(rediss?:\/\/)[^\s/?#:@]+@/gi;
/** Parameters of a URL whose value is a secret. */
const PARAMETER = /([?&][^=&#\s]*(?:pass|key|token|secret)[^=&#\s]*)=[^&#\s]+/gi;

/** Removes passwords from the URLs in a text. */
export function hideCredentials(text: string): string {
  if (!text.includes('://')) return text;
  return text.replace(PASSWORD, '$1:…@').replace(REDIS_USER, '$1…@').replace(PARAMETER, '$1=…');
}

/**
 * Warns of a password on the command line, which other users of the machine can read with `ps`, and removes the
 * password from the title of the process. The title replaces the command line in `ps`, but not before this moment.
 */
export async function hideCommandLine(
  argv: readonly string[],
  output: Output,
  target: { title: string } = process,
): Promise<void> {
  const shown = argv.map(hideCredentials);
  if (shown.every((word, index) => word === argv[index])) return;
  target.title = ['gemini-cli-provider', ...shown].join(' ');
  const isOfQueue = argv.some((word, index) => {
    const isQueue = word.startsWith('--queue=') || argv[index - 1] === '--queue';
    return isQueue && word !== hideCredentials(word);
  });
  const remedy = isOfQueue
    ? ' Set GEMINI_CLI_PROVIDER_QUEUE and give --queue env, or set PGPASSWORD or REDIS_PASSWORD, or use the file ~/.pgpass.'
    : '';
  const text = `The password in ${isOfQueue ? '--queue' : 'a URL'} was on the command line, where other users of this machine could read it.${remedy}`;
  await print(output.stderr, `${output.stderr.paint.yellow('Warning:')} ${text}\n`);
}
