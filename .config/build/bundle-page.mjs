import { readFileSync } from 'node:fs';
import { build } from 'rolldown';

/**
 * Bundles the script of the report page into one file for a browser. `src/batch/report` reads the file.
 * @param {string} root
 */
export async function bundlePage(root) {
  const license = readFileSync(`${root}node_modules/highlight.js/LICENSE`, 'utf8');
  await build({
    cwd: root,
    input: 'src/batch/report/page/report-page.ts',
    platform: 'browser',
    tsconfig: 'src/batch/report/page/tsconfig.json',
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    logLevel: 'warn',
    output: {
      file: 'dist/report-page.js',
      format: 'iife',
      minify: true,
      postBanner: `/*! Contains highlight.js:\n${license.trim()}\n*/`,
    },
    plugins: [
      {
        name: 'fit-for-a-script-element',
        // In a page `</script` would end the script and `<!--` could hide its end. \x3c is the same character in strings.
        generateBundle(_options, bundle) {
          for (const chunk of Object.values(bundle)) {
            if (chunk.type !== 'chunk') continue;
            chunk.code = chunk.code.replace(/<(?=!--|\/?script)/gi, '\\x3c');
          }
        },
      },
    ],
  });
}
