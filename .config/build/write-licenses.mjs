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
    const { name, version, license } = JSON.parse(
      readFileSync(join(root, folder, 'package.json'), 'utf8'),
    );
    const files = readdirSync(join(root, folder)).filter((file) => LICENSE_FILE.test(file));
    if (files.length === 0) throw new Error(`${folder} has no licence file`);
    const texts = files.map((file) => readFileSync(join(root, folder, file), 'utf8').trim());
    return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
  });
  const header = 'The files of this folder contain code of these packages.\n';
  const text = [header, ...new Set(parts)].join(`\n${'-'.repeat(80)}\n\n`);
  writeFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), text);
}
