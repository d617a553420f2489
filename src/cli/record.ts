import { resolve } from 'node:path';
import type { Command } from 'commander';
import { ProviderError } from '../base/errors/provider-error.js';
import { countOf } from '../base/text/count-of.js';
import { escapeControls } from '../base/text/safe-json.js';
import { type Output, print } from './output.js';
import { scriptOfSession } from './script-of-session.js';
import { writeDocument } from './write-document.js';

interface RecordFlags {
  readonly cwd?: string;
  readonly out?: string;
}

const EXAMPLES = `
Examples:
  $ gemini-cli-provider run "Greet the world" --trust-workspace     # a real step
  $ gemini-cli-provider record --out script.json                    # its answers as a script
  $ gemini-cli-provider mock script.json -- npm test                # the same answers, without a model
  $ gemini-cli-provider record 4781b18c 5902c29d --out script.json  # two sessions in one script

The script has prompts, texts, thoughts, tool calls and token counts of the session that the CLI has recorded.
Failed requests are not recorded there. Texts may have secrets in them: read the script before you commit it.`;

export function addRecordCommand(program: Command, output: Output): void {
  program
    .command('record')
    .description('Make a script for mock from recorded sessions of real steps')
    .argument(
      '[sessions...]',
      'Session ids, their first eight characters or numbers (default: latest)',
    )
    .option('-C, --cwd <dir>', 'Folder of the project (default: the current folder)')
    .option('-o, --out <file>', 'Write the script to this file instead of stdout')
    .addHelpText('after', EXAMPLES)
    .action(async (given: readonly string[], flags: RecordFlags) => {
      const { requireSessionFile } = await import('../sessions/list/find-session.js');
      const { readSession } = await import('../sessions/files/read-session.js');
      const projectDir = resolve(flags.cwd ?? '.');
      const wanted = given.length === 0 ? ['latest'] : given;
      const rules = [];
      for (const session of wanted) {
        const file = await requireSessionFile(session, { projectDir });
        rules.push(...scriptOfSession(await readSession(file), projectDir));
      }
      if (rules.length === 0) throw nothingRecorded(wanted);
      const sorted = rules.sort((a, b) => lengthOf(b.prompt) - lengthOf(a.prompt));
      const text = `${escapeControls(JSON.stringify(sorted, undefined, 2))}\n`;
      if (flags.out === undefined) return print(output.stdout, text);
      await writeDocument(flags.out, [text]);
      const turns = rules.reduce((sum, rule) => sum + rule.turns.length, 0);
      const counts = `${countOf(rules.length, 'prompt')}, ${countOf(turns, 'answer')}`;
      return print(output.stderr, `${flags.out}: ${counts}\n`);
    });
}

function lengthOf(prompt: unknown): number {
  return typeof prompt === 'string' ? prompt.length : 0;
}

function nothingRecorded(wanted: readonly string[]): ProviderError {
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: `No answer of the model is recorded in ${wanted.join(', ')}`,
    hint: 'Give a session in which the model has answered: gemini-cli-provider sessions list.',
  });
}
