#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { Command, Option } from 'commander';
import { ProviderError } from '../base/errors/provider-error.js';
import { readEnvironment } from '../base/process/environment.js';
import { addCommands } from './commands.js';
import { EXIT_CODES, USAGE_EXIT_CODE } from './exit-status.js';
import { isHangupIgnored } from './hangup.js';
import { exitCodeOfBrokenOutput, watchForBrokenOutput } from './output/broken-output.js';
import { createOutput, print } from './output/output.js';
import { describeFailure } from './output/progress.js';

const manifest: { version: string; description: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);
const ignoresHangup = isHangupIgnored(readEnvironment());
// Node ends a process at SIGHUP unless there is a listener.
if (ignoresHangup) process.on('SIGHUP', () => {});
const broken = watchForBrokenOutput(process, ignoresHangup);
process.on('exit', () => {
  if (broken.aborted) process.exitCode = exitCodeOfBrokenOutput(broken);
});
const output = createOutput(readEnvironment(), broken, ignoresHangup);
const program = new Command('gemini-cli-provider')
  .description(manifest.description)
  .version(manifest.version, '-v, --version', 'Print the version')
  .addOption(new Option('-V', 'Print the version').hideHelp())
  .on('option:V', () => {
    void print(output.stdout, `${manifest.version}\n`).then(() => process.exit(0));
  })
  .helpOption('-h, --help', 'Print this help')
  .helpCommand('help [command]', 'Print the help of a command')
  // Without positional options, --json of `batch report DIR --json` would belong to `batch`.
  .enablePositionalOptions()
  .showHelpAfterError('(--help lists commands and options)')
  .configureHelp({
    showGlobalOptions: true,
    // Flags of `batch` are not those of `batch status`: only the flags of the program are global.
    visibleGlobalOptions: (command) => {
      let root = command;
      while (root.parent !== null) root = root.parent;
      return root === command ? [] : root.options.filter(({ hidden }) => !hidden);
    },
  })
  .configureOutput({
    writeOut: (text) => void print(output.stdout, text),
    writeErr: (text) => void print(output.stderr, text),
  })
  .exitOverride((error) => {
    process.exit(error.exitCode === 0 ? 0 : USAGE_EXIT_CODE);
  });
await addCommands(program, output, process.argv[2]);

try {
  await program.parseAsync();
} catch (error) {
  if (ProviderError.isInstance(error)) {
    await print(output.stderr, `${describeFailure(error.toJSON(), output.stderr.paint)}\n`);
    process.exitCode = EXIT_CODES[error.code];
  } else {
    // Node would print the message of a defect as it is, control characters included.
    await print(output.stderr, `${inspect(error)}\n`);
    process.exitCode = EXIT_CODES.UNKNOWN;
  }
}
