import { Argument, type Command } from 'commander';
import type { Output } from '../output/output.js';
import { SHELLS, type Shell, writeCompletion } from './completion-scripts.js';
import { listCompletions } from './completion-words.js';

const EXAMPLES = `
Examples:
  $ source <(gemini-cli-provider completion bash)     # in ~/.bashrc
  $ source <(gemini-cli-provider completion zsh)      # in ~/.zshrc, after compinit
  $ gemini-cli-provider completion fish | source      # in ~/.config/fish/config.fish`;

/** Names of the command: the long one and the short one. */
export const COMMAND_NAMES = ['gemini-cli-provider', 'gemstep'] as const;

export function addCompletionCommand(program: Command, output: Output): void {
  program
    .command('completion')
    .description('Print a script that completes commands, flags and values in a shell')
    .addArgument(new Argument('<shell>', 'Shell').choices(SHELLS))
    .addHelpText('after', EXAMPLES)
    .action(async (shell: Shell) => {
      // The program has all its commands when this one is called.
      const commands = listCompletions(program);
      await output.stdout.writeExact(writeCompletion(shell, commands, COMMAND_NAMES));
    });
}
