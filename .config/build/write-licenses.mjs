import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LICENSE_FILE = /^(licen[cs]e|copying|notice)/i;

/**
 * Writes the licences of bundled packages into dist/THIRD-PARTY-LICENSES.txt: they ask to be shipped with the code.
 * @param {string} root
 * @param {readonly string[]} folders of the packages
 */
export function writeLicenses(root, folders) {
  const parts = folders.map((folder) => {
    const { name, version, license, author } = JSON.parse(
      readFileSync(join(root, folder, 'package.json'), 'utf8'),
    );
    const texts = readLicenses(join(root, folder));
    // Some packages name their licence in package.json alone.
    if (texts.length === 0 && typeof license === 'string')
      texts.push(`Author: ${author?.name ?? author}. Licence: ${license}.`);
    if (texts.length === 0) throw new Error(`${folder} has no licence`);
    return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
  });
  const header = 'The files of this folder contain code of these packages.\n';
  const text = [header, ...new Set(parts)].join(`\n${'-'.repeat(80)}\n\n`);
  writeFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), text);
}

/**
 * Reads the licence files of a package, or the section of its README that names the licence.
 * @param {string} folder
 * @returns {string[]}
 */
function readLicenses(folder) {
  const names = readdirSync(folder);
  const read = (/** @type {string} */ name) => readFileSync(join(folder, name), 'utf8').trim();
  const files = names.filter((name) => LICENSE_FILE.test(name)).map(read);
  if (files.length > 0) return files;
  const readme = names.filter((name) => /^readme/i.test(name)).map(read)[0] ?? '';
  const section = readme.split(/^#+ +/m).find((part) => /^licen[cs]e\b/i.test(part));
  return section === undefined ? [] : [section.trim()];
}
