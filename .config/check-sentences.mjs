import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import { measureFile, sumFindings } from './sentences.mjs';

/** Highest share of comments that may begin without a subject. */
const ALLOWED_SHARE = 0.08;
const SHOWN_CHARACTERS = 90;

const root = fileURLToPath(new URL('../', import.meta.url));
const chosen = process.argv.slice(2);
const paths = chosen.length > 0 ? chosen : ['src', 'README.md'];

const { comments, vagueBeginnings, vaguePersons } = sumFindings(
  filesOf(paths).map((file) => measureFile(file)),
);
const share = comments === 0 ? 0 : vagueBeginnings.length / comments;
const isShareTooHigh = share >= ALLOWED_SHARE;

// A chosen path means that its sentences are being rewritten: all of them are listed.
if (isShareTooHigh || chosen.length > 0) {
  for (const found of vagueBeginnings) report(found, 'begins without a subject');
}
for (const found of vaguePersons) report(found, 'speaks of a person without a name');

const percent = (/** @type {number} */ part) => `${(part * 100).toFixed(1)} %`;
console.log(
  `${vagueBeginnings.length} of ${comments} comments (${percent(share)}, allowed under ` +
    `${percent(ALLOWED_SHARE)}) begin without a subject; ` +
    `${vaguePersons.length} sentences speak of a person without a name (allowed 0).`,
);
if (isShareTooHigh || vaguePersons.length > 0) process.exitCode = 1;

/** @param {readonly string[]} paths */
function filesOf(paths) {
  const patterns = paths.flatMap((path) => {
    const at = relative(root, resolve(path)).replaceAll('\\', '/');
    return /\.(?:ts|md)$/.test(at) ? [at] : [`${at}/**/*.ts`, `${at}/**/README.md`];
  });
  return globSync(patterns, { cwd: root, dot: true, ignore: ['**/node_modules/**'] }).sort();
}

/**
 * @param {import('./sentences.mjs').Sentence} sentence
 * @param {string} complaint
 */
function report({ file, line, text }, complaint) {
  const shown = text.trim().replaceAll(/\s+/g, ' ').slice(0, SHOWN_CHARACTERS);
  console.log(`${file}:${line} ${complaint}: ${shown}`);
}
