import { resolve } from 'node:path';
import type { Command } from 'commander';
import { ProviderError } from '../../base/errors/provider-error.js';
import { realpathOf } from '../../base/fs/paths.js';
import { countOf } from '../../base/text/count-of.js';
import { escapeControls } from '../../base/text/safe-json.js';
import type { ScriptedAnswer } from '../../testing/index.js';
import { type Output, print } from '../output/output.js';
import { writeDocument } from '../output/write-document.js';
import { LATEST } from '../sessions/session-argument.js';
import { scriptOfSessions } from './script-of-sessions.js';

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
The CLI records no failed requests, and texts without blanks at their ends. Texts may have secrets in them: read the
script before you commit it.`;

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
      const { requireSessionFile } = await import('../../sessions/list/find-session.js');
      const { readSession } = await import('../../sessions/files/read-session.js');
      const projectDir = resolve(flags.cwd ?? '.');
      const wanted = given.length === 0 ? [LATEST] : given;
      const sessions = [];
      for (const session of wanted) {
        sessions.push(await readSession(await requireSessionFile(session, { projectDir })));
      }
      // The CLI records real paths.
      const rules = scriptOfSessions(sessions, realpathOf(projectDir));
      if (rules.length === 0) throw nothingRecorded(wanted);
      const text = `${escapeControls(JSON.stringify(rules, undefined, 2))}\n`;
      if (flags.out === undefined) return print(output.stdout, text);
      await writeDocument(flags.out, [text]);
      const answers = rules.flatMap(({ turns }) => turns.flatMap(listAttempts)).length;
      const counts = `${countOf(rules.length, 'prompt')}, ${countOf(answers, 'answer')}`;
      return print(output.stderr, `${flags.out}: ${counts}\n`);
    });
}

function listAttempts(answer: ScriptedAnswer): readonly ScriptedAnswer[] {
  return 'attempts' in answer ? answer.attempts : [answer];
}

function nothingRecorded(wanted: readonly string[]): ProviderError {
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: `No answer of the model is recorded in ${wanted.join(', ')}`,
    hint: 'Give a session in which the model has answered: gemini-cli-provider sessions list.',
  });
}
