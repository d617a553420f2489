import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const root = new URL('../', import.meta.url);
const license = readFileSync(new URL('node_modules/highlight.js/LICENSE', root), 'utf8');

// The script of the report page: one file for a browser, in which `src/batch/report` finds it.
await build({
  cwd: fileURLToPath(root),
  input: 'src/batch/report/page/report-page.ts',
  platform: 'browser',
  tsconfig: 'src/batch/report/page/tsconfig.json',
  resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  logLevel: 'warn',
  output: {
    file: 'dist/batch/report/page.js',
    format: 'iife',
    minify: true,
    postBanner: `/*! Contains highlight.js:\n${license.trim()}\n*/`,
  },
  plugins: [
    {
      name: 'fit-for-a-script-element',
      // In a page these would end the script or hide its end; in strings and patterns \x3c is the same character.
      generateBundle(_options, bundle) {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk') continue;
          chunk.code = chunk.code.replace(/<(?=!--|\/?script)/gi, '\\x3c');
        }
      },
    },
  ],
});
