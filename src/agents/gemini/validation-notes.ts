import type { CheckedCli } from './check-cli.js';
import { featuresOf, firstVersionWith, isAtLeast, TESTED_CLI } from './cli-features.js';

/** Lists notes for the user on a CLI that was found and can be used. */
export function describeCli({ version }: CheckedCli): string[] {
  if (version === undefined)
    return ['The CLI does not report its version and is treated as the newest one.'];
  const notes: string[] = [];
  const tested = TESTED_CLI.split('.').slice(0, 2).join('.');
  if (!version.startsWith(`${tested}.`)) {
    const age = isAtLeast(version, TESTED_CLI) ? 'newer' : 'older';
    notes.push(`Version ${version} is ${age} than the tested ${TESTED_CLI}.`);
  }
  const features = featuresOf(version);
  if (!features.streamJson) {
    notes.push(
      `Before ${firstVersionWith('streamJson')} the CLI reports no tool calls: events are few, and files are found by comparing the workspace.`,
    );
  }
  return notes;
}
