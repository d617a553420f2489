import { createHash } from 'node:crypto';

/** Creates a content security policy that allows this script and this style, by their hashes, and nothing else. */
export function createContentPolicy(script: string, style: string): string {
  return [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
    // The page never turns text into markup. Browsers with Trusted Types enforce this.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
