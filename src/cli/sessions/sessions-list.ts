import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { CostEstimate, PriceTable } from '../../api/cost.js';
import type { SessionInfo } from '../../api/session-list.js';
import { cleanLine, cleanName } from '../../base/text/clean-text.js';
import { countOf } from '../../base/text/count-of.js';
import { sumCosts } from '../../base/usage/add-costs.js';
import { describeCost, describeCostShortly } from '../../base/usage/describe-cost.js';
import { type Output, type Paint, print, printJson } from '../output/output.js';

interface ListFlags {
  readonly cwd?: string;
  readonly all?: boolean;
  readonly limit: number;
  readonly subagents?: boolean;
  readonly json?: boolean;
  readonly cost?: boolean;
  readonly prices?: string;
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
    .option('--cost', 'Show what each session has cost by list price, and the sum')
    .option('--prices <file>', 'YAML or JSON file with prices of models, for --cost')
    .option('--json', 'Print the sessions as one JSON array')
    .action(async (flags: ListFlags) => {
      const { listSessions } = await import('../../sessions/list/list-sessions.js');
      const projectDir = resolve(flags.cwd ?? '.');
      const found = await listSessions({
        ...(flags.all === true ? {} : { projectDir }),
        limit: flags.limit,
        subagents: flags.subagents === true,
        counts: 'exact',
        prices: await readPrices(flags),
      });
      if (flags.json === true) return printJson(output.stdout, found);
      if (found.length === 0) {
        const where =
          flags.all === true ? 'in any project' : `for ${projectDir} (--all lists all projects)`;
        return print(output.stderr, `No sessions found ${where}\n`);
      }
      const lines = found.map((info) => describeSession(info, flags, output.stdout.paint));
      const sum = flags.cost === true ? sumCosts(found.map(({ cost }) => cost)) : undefined;
      if (sum !== undefined) lines.push(describeSum(sum, found.length));
      return print(output.stdout, `${lines.join('\n')}\n`);
    });
}

function toCount(value: string): number {
  if (!/^[1-9]\d{0,6}$/.test(value)) {
    throw new InvalidArgumentError('Give a whole number, 1 or more.');
  }
  return Number(value);
}

async function readPrices({ prices }: ListFlags): Promise<PriceTable | undefined> {
  if (prices === undefined) return undefined;
  const { parseConfig } = await import('../../config/parse-config.js');
  const { readConfig } = await import('../config/read-config.js');
  return parseConfig(await readConfig({ prices })).prices;
}

/** Describes the cost of all listed sessions. It is an estimate, so the line says by which prices. */
function describeSum(sum: CostEstimate, sessions: number): string {
  const { unknownModels, tableDate } = sum;
  const unknown =
    unknownModels.length === 0 ? '' : `, without ${cleanName(unknownModels.join(', '))}`;
  return `${countOf(sessions, 'session')}: ${describeCost(sum)}, prices of ${tableDate}${unknown}`;
}

function describeSession(info: SessionInfo, { all, cost }: ListFlags, paint: Paint): string {
  const number = info.number === undefined ? '' : String(info.number);
  const facts = [
    info.messageCount === undefined ? '' : countOf(info.messageCount, 'message'),
    info.tokens === undefined ? '' : `${info.tokens.total} tokens`,
    cost === true && info.cost !== undefined ? describeCostShortly(info.cost) : '',
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
