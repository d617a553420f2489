import { createHash } from 'node:crypto';

/** Nothing may be loaded and nothing may run but this script and this style, known by their hashes. */
export function createContentPolicy(script: string, style: string): string {
  return [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
    // The page never turns text into markup; a browser that knows this rule makes sure of it.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
