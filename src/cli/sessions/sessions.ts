import type { Command } from 'commander';
import type { Output } from '../output/output.js';
import { addSessionsList } from './sessions-list.js';
import { addSessionsExport, addSessionsShow } from './sessions-show.js';
import { addSessionsWatch } from './sessions-watch.js';

const EXAMPLES = `
Examples:
  $ gemini-cli-provider sessions list
  $ gemini-cli-provider sessions show
  $ gemini-cli-provider sessions show --file session.json --format unified --json
  $ gemini-cli-provider sessions watch
  $ gemini-cli-provider sessions export 3 --out session.md
  $ gemini-cli-provider sessions export 4781b18c --format html --out session.html

Give a session by its id, its first eight characters, its number in the project, or "latest".
The commands never write to the folder of the CLI.`;

export function addSessionsCommand(program: Command, output: Output): void {
  const sessions = program
    .command('sessions')
    .description('List, show, watch and export the sessions that the CLI has recorded')
    .addHelpText('after', EXAMPLES);
  for (const add of [addSessionsList, addSessionsShow, addSessionsWatch, addSessionsExport]) {
    add(sessions, output);
  }
}
