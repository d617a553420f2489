import { ProviderError } from '../../base/errors/provider-error.js';

/** Characters of an id that the CLI accepts. */
const ID = /^[\w-]{1,200}$/;

/** What the arguments of the CLI say about its session. */
export interface RunArguments {
  /** Id that the person has chosen for a new session. */
  readonly newId?: string;
  /** Session that goes on: its id, its number, or `latest`. */
  readonly resumed?: string;
  /** Arguments without those about the session. */
  readonly rest: readonly string[];
}

/** Takes the session out of the arguments of the CLI, in the forms in which the CLI reads them. Throws INVALID_INPUT. */
export function readRunArguments(args: readonly string[]): RunArguments {
  let newId: string | undefined;
  let resumed: string | undefined;
  const rest: string[] = [];
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  for (let at = 0; at < end; at++) {
    const word = args[at] ?? '';
    const next = at + 1 < end ? args[at + 1] : undefined;
    const [, resume, glued] = /^(--resume|-r)(?:=(.*))?$/s.exec(word) ?? [];
    const [, isNew, id = next] = /^(--session-?[iI]d)(?:=(.*))?$/s.exec(word) ?? [];
    if (/^--session-?[fF]ile(=|$)/.test(word)) throw refuseFile();
    if (resume !== undefined) {
      const isSeparate = glued === undefined && next !== undefined && !next.startsWith('-');
      resumed = (glued ?? (isSeparate ? next : '')).trim() || 'latest';
      if (isSeparate) at++;
    } else if (isNew !== undefined) {
      newId = (id ?? '').trim();
      if (!word.includes('=')) at++;
    } else rest.push(word);
  }
  const given = [newId, resumed].filter((value) => value !== undefined);
  if (given.length > 1)
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: '--resume and --session-id exclude each other',
      hint: '--resume continues a session, --session-id is the id of a new one.',
    });
  for (const value of given)
    if (!ID.test(value))
      throw new ProviderError({
        code: 'INVALID_INPUT',
        message: `The session "${value}" is not valid`,
        hint: 'An id has letters, digits, - and _ alone. --resume also takes `latest` or a number.',
      });
  return {
    ...(newId === undefined ? {} : { newId }),
    ...(resumed === undefined ? {} : { resumed }),
    rest: [...rest, ...args.slice(end)],
  };
}

function refuseFile(): ProviderError {
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: '--session-file cannot be used here: the id of the session would not be known',
    hint: 'Start `gemini --session-file FILE` in a pane of tmux: the server finds the session by its hooks.',
  });
}
