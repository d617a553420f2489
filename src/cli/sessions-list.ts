import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { SessionInfo } from '../api/session.js';
import { cleanLine, cleanName } from '../base/text/clean-text.js';
import { countOf } from '../base/text/count-of.js';
import { type Output, type Paint, print, printJson } from './output.js';

interface ListFlags {
  readonly cwd?: string;
  readonly all?: boolean;
  readonly limit: number;
  readonly subagents?: boolean;
  readonly json?: boolean;
}

const DEFAULT_LIMIT = 20;

export function addSessionsList(sessions: Command, output: Output): void {
  sessions
    .command('list')
    .description('List the sessions of a project, newest first')
    .option('-C, --cwd <dir>', 'Folder of the project (default: the current folder)')
    .option('-a, --all', 'List the sessions of all projects')
    .option('-n, --limit <n>', 'Maximum number of sessions', toCount, DEFAULT_LIMIT)
    .option('--subagents', 'Include the sessions of sub-agents')
    .option('--json', 'Print the sessions as one JSON array')
    .action(async (flags: ListFlags) => {
      const { listSessions } = await import('../sessions/list/list-sessions.js');
      const projectDir = resolve(flags.cwd ?? '.');
      const found = await listSessions({
        ...(flags.all === true ? {} : { projectDir }),
        limit: flags.limit,
        subagents: flags.subagents === true,
        counts: 'exact',
      });
      if (flags.json === true) return printJson(output.stdout, found);
      if (found.length === 0) {
        const where =
          flags.all === true ? 'in any project' : `for ${projectDir} (--all lists all projects)`;
        return print(output.stderr, `No sessions found ${where}\n`);
      }
      const lines = found.map((info) => describeSession(info, flags, output.stdout.paint));
      return print(output.stdout, `${lines.join('\n')}\n`);
    });
}

function toCount(value: string): number {
  if (!/^[1-9]\d{0,6}$/.test(value)) {
    throw new InvalidArgumentError('Give a whole number, 1 or more.');
  }
  return Number(value);
}

function describeSession(info: SessionInfo, { all }: ListFlags, paint: Paint): string {
  const number = info.number === undefined ? '' : String(info.number);
  const facts = [
    info.messageCount === undefined ? '' : countOf(info.messageCount, 'message'),
    info.tokens === undefined ? '' : `${info.tokens.total} tokens`,
    info.model ?? '',
    info.kind === 'main' ? '' : info.kind,
    all === true ? (info.projectDir ?? info.projectName) : '',
  ];
  const about = info.summary ?? info.firstPrompt ?? '(no prompt yet)';
  return [
    number.padStart(3),
    paint.cyan(cleanName(info.id.slice(0, 8))),
    info.updatedAt.slice(0, 16).replace('T', ' '),
    cleanLine(about),
    paint.dim(cleanName(facts.filter((fact) => fact !== '').join(' · '))),
  ].join('  ');
}
