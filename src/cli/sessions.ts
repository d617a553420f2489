import type { Command } from 'commander';
import type { Output } from './output.js';
import { addSessionsList } from './sessions-list.js';
import { addSessionsExport, addSessionsShow } from './sessions-show.js';
import { addSessionsWatch } from './sessions-watch.js';

const EXAMPLES = `
Examples:
  $ gemini-cli-provider sessions list
  $ gemini-cli-provider sessions show latest
  $ gemini-cli-provider sessions show --file session.json --format unified --json
  $ gemini-cli-provider sessions watch 4781b18c
  $ gemini-cli-provider sessions export 3 --out session.md

A session is given by its id, the first eight characters of it, its number in the project, or "latest".
Nothing is ever written to the CLI's own folder.`;

export function addSessionsCommand(program: Command, output: Output): void {
  const sessions = program
    .command('sessions')
    .description("read the CLI's own records: list, show, watch and export sessions")
    .addHelpText('after', EXAMPLES);
  for (const add of [addSessionsList, addSessionsShow, addSessionsWatch, addSessionsExport]) {
    add(sessions, output);
  }
}
