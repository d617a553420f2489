import { cpSync, readFileSync } from 'node:fs';
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

/**
 * Bundles the script of the remote page, and copies its other files, into dist/remote-page. The remote server serves them.
 * @param {string} root
 */
export async function bundleRemotePage(root) {
  const licenses = ['highlight.js', 'marked', 'preact'].map((name) => {
    const file = name === 'marked' ? 'LICENSE.md' : 'LICENSE';
    return `${name}:\n${readFileSync(`${root}node_modules/${name}/${file}`, 'utf8').trim()}`;
  });
  await build({
    cwd: root,
    input: 'src/remote/page/main.tsx',
    platform: 'browser',
    tsconfig: 'src/remote/page/tsconfig.json',
    resolve: { extensionAlias: { '.js': ['.ts', '.tsx', '.js'] } },
    logLevel: 'warn',
    output: {
      file: 'dist/remote-page/app.js',
      format: 'esm',
      minify: true,
      postBanner: `/*! Contains ${licenses.join('\n\n').replaceAll('*/', '* /')}\n*/`,
    },
  });
  cpSync(`${root}src/remote/page/static`, `${root}dist/remote-page`, { recursive: true });
}
