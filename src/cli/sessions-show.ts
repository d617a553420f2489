import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { messageOf } from '../base/errors/message-of.js';
import { ProviderError } from '../base/errors/provider-error.js';
import { toUnifiedMessages } from '../sessions/messages/to-unified-messages.js';
import { type Output, PLAIN, print } from './output.js';
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
    .description('a session as a transcript, as Claude-style messages, or as it was recorded');
  addShowOptions(command).action(async (wanted: string | undefined, flags: ShowFlags) => {
    const isJson = flags.json === true;
    const format = flags.format ?? (isJson ? 'unified' : 'text');
    await printSession(command, { wanted, flags, format }, output);
  });
}

export function addSessionsExport(sessions: Command, output: Output): void {
  const command = sessions
    .command('export')
    .description('a session as a document, Markdown unless another format is asked for')
    .option('-o, --out <file>', 'write it there instead of to stdout');
  addShowOptions(command).action(async (wanted: string | undefined, flags: ShowFlags) => {
    const format = flags.format ?? (flags.json === true ? 'unified' : 'markdown');
    await printSession(command, { wanted, flags, format }, output);
  });
}

function addShowOptions(command: Command): Command {
  return command
    .argument('[session]', 'id, first eight characters of it, number in the project, or "latest"')
    .option('-C, --cwd <dir>', 'the project (default: the current folder)')
    .option('--file <file>', 'a session file, of either generation, in place of a session')
    .addOption(new Option('--format <format>', 'how to print it').choices(SESSION_FORMATS))
    .option('--extras', "the CLI's own context, repeated tool answers and remarks too, marked")
    .option('--json', 'unified and raw: one JSON array instead of a line for each message');
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
  if ((wanted === undefined) === (flags.file === undefined)) {
    command.error('error: give either a session or --file');
  }
  if (flags.json === true && (format === 'text' || format === 'markdown')) {
    command.error(`error: --json goes with --format unified or raw, not with ${format}`);
  }
  const { requireSessionFile } = await import('../sessions/list/find-session.js');
  const { readSession } = await import('../sessions/files/read-session.js');
  const place = flags.cwd === undefined ? {} : { projectDir: flags.cwd };
  const session = await readSession(
    await requireSessionFile(
      flags.file === undefined ? (wanted ?? '') : resolve(flags.file),
      place,
    ),
  );
  const messages = toUnifiedMessages(session, { extras: flags.extras ? 'mark' : 'omit' });
  const isArray = flags.json === true;
  const paint = flags.out === undefined ? output.stdout.paint : PLAIN;
  const pieces = renderSession({ session, messages, format, isArray, paint });
  if (flags.out === undefined) for (const piece of pieces) await print(output.stdout, piece);
  else await writeDocument(flags.out, pieces);
  for (const { message } of session.diagnostics) {
    await print(output.stderr, `${output.stderr.paint.yellow('warning')} ${message}\n`);
  }
}

async function writeDocument(file: string, pieces: Iterable<string>): Promise<void> {
  try {
    await writeFile(file, pieces);
  } catch (error) {
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: `${file} cannot be written`,
      hint: messageOf(error),
      cause: error,
    });
  }
}
