import { type Command, Option } from 'commander';
import { cleanText } from '../../base/text/clean-text.js';
import { toUnifiedMessages } from '../../sessions/messages/to-unified-messages.js';
import { type Output, PLAIN, print } from '../output/output.js';
import { writeDocument } from '../output/write-document.js';
import { addExtrasFlag, addSessionArgument, readSessionArgument } from './session-argument.js';
import { renderSession, SESSION_FORMATS, type SessionFormat } from './session-formats.js';

interface ShowFlags {
  readonly cwd?: string;
  readonly file?: string;
  readonly format?: SessionFormat;
  readonly json?: boolean;
  readonly extras?: boolean;
  readonly out?: string;
}

export function addSessionsShow(sessions: Command, output: Output): void {
  const command = sessions
    .command('show')
    .description('Print a session as a transcript, as Claude-style messages, or as recorded');
  addShowAction(command, 'text', output);
}

export function addSessionsExport(sessions: Command, output: Output): void {
  const command = sessions
    .command('export')
    .description('Export a session as a document (default: Markdown)')
    .option('-o, --out <file>', 'Write the document to this file instead of stdout');
  addShowAction(command, 'markdown', output);
}

function addShowAction(command: Command, defaultFormat: SessionFormat, output: Output): void {
  addSessionArgument(command)
    .option('--file <file>', 'Session file, .jsonl or .json, instead of a session')
    .addOption(new Option('--format <format>', 'Format of the output').choices(SESSION_FORMATS));
  addExtrasFlag(command)
    .option(
      '--json',
      'Print one JSON array instead of a line for each message (formats unified and raw)',
    )
    .action(async (wanted: string | undefined, flags: ShowFlags) => {
      const format = flags.format ?? (flags.json === true ? 'unified' : defaultFormat);
      await printSession(command, { wanted, flags, format }, output);
    });
}

interface ShowRequest {
  readonly wanted: string | undefined;
  readonly flags: ShowFlags;
  readonly format: SessionFormat;
}

async function printSession(
  command: Command,
  { wanted, flags, format }: ShowRequest,
  output: Output,
): Promise<void> {
  const sessionOrFile = readSessionArgument(command, wanted, flags.file);
  if (flags.json === true && format !== 'unified' && format !== 'raw') {
    command.error(`error: --json needs --format unified or raw, not ${format}`);
  }
  const { requireSessionFile } = await import('../../sessions/list/find-session.js');
  const { readSession } = await import('../../sessions/files/read-session.js');
  const location = flags.cwd === undefined ? {} : { projectDir: flags.cwd };
  const session = await readSession(await requireSessionFile(sessionOrFile, location));
  const messages = toUnifiedMessages(session, { extras: flags.extras ? 'mark' : 'omit' });
  const isArray = flags.json === true;
  const paint = flags.out === undefined ? output.stdout.paint : PLAIN;
  const pieces = renderSession({ session, messages, format, isArray, paint });
  if (flags.out === undefined) for (const piece of pieces) await print(output.stdout, piece);
  else await writeDocument(flags.out, cleaned(pieces));
  for (const { message } of session.diagnostics) {
    await print(output.stderr, `${output.stderr.paint.yellow('Warning:')} ${message}\n`);
  }
}

/** Cleans the pieces of a document: a terminal may show the file later. */
function* cleaned(pieces: Iterable<string>): Generator<string, void> {
  for (const piece of pieces) yield cleanText(piece);
}
