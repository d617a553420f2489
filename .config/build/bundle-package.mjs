import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { build } from 'rolldown';

/** Published file → its source. */
const ENTRIES = {
  index: 'src/index.ts',
  batch: 'src/batch/index.ts',
  queue: 'src/queue/index.ts',
  remote: 'src/remote/index.ts',
  sessions: 'src/sessions/index.ts',
  testing: 'src/testing/index.ts',
  conformance: 'src/testing/conformance/index.ts',
  'ai-sdk': 'src/engines/ai-sdk/index.ts',
  otel: 'src/otel.ts',
  cli: 'src/cli/main.ts',
  // The reaper runs as a process of its own.
  reaper: 'src/base/process/reaper-main.ts',
  // Checks of regular expressions run in a thread that can be ended.
  'check-output': 'src/step/expectations/check-output-main.ts',
  // Remote file systems are scanned by a process that may hang in the kernel.
  scanner: 'src/step/manifest/scanner-main.ts',
  // Steps on remote file systems are isolated by a process of its own, which slow calls do not stop.
  isolator: 'src/batch/isolation/remote/isolation-host-main.ts',
  // Hooks of the CLI run this program where curl is missing.
  'remote-bridge': 'src/remote/hooks/bridge-main.ts',
  // The embedded PostgreSQL outlives the process that needs it first.
  'postgres-host': 'src/queue/embedded/postgres-host-main.ts',
};
const OTEL_API = '@opentelemetry/api';
/** File that loads the caller's copy of the API. */
const OTEL_LOADER = '/src/telemetry/load-otel-api.ts';
const PACKAGE = /node_modules\/((?:@[^/]+\/)?[^/]+)\//g;

/**
 * Bundles the source and the libraries that it uses, except the dependencies and peers of package.json, which npm installs.
 * Names stay as they are, so that a stack trace can be read without the source maps.
 * @param {string} root
 * @returns {Promise<string[]>} folders of the packages that are in the bundle, below root
 */
export async function bundlePackage(root) {
  const { dependencies = {}, peerDependencies = {} } = JSON.parse(
    readFileSync(`${root}package.json`, 'utf8'),
  );
  const external = Object.keys({ ...dependencies, ...peerDependencies }).map(
    (name) => new RegExp(`^${name}(/|$)`),
  );
  const { output } = await build({
    cwd: root,
    input: ENTRIES,
    platform: 'node',
    tsconfig: 'tsconfig.json',
    external: (id, importer) => {
      if (id.startsWith('node:')) return true;
      // The caller's copy of the API knows the caller's SDK. The commands bring an SDK of their own, and the API with it.
      if (id === OTEL_API) return importer?.endsWith(OTEL_LOADER) === true;
      return external.some((name) => name.test(id));
    },
    transform: { target: 'es2022' },
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    logLevel: 'warn',
    output: {
      dir: 'dist',
      format: 'esm',
      sourcemap: true,
      // All files are in one folder, so that a path relative to one file is relative to all of them.
      entryFileNames: '[name].js',
      chunkFileNames: 'chunk-[name].js',
    },
    plugins: [relocateUrls(root), withoutForeignPicomatch()],
  });
  for (const file of output)
    if (file.type === 'asset' && file.fileName.endsWith('.map'))
      dropLibrarySources(`${root}dist/${file.fileName}`);
  const modules = output.flatMap((file) =>
    file.type === 'chunk' ? Object.keys(file.modules) : [],
  );
  const folders = modules.flatMap((id) => {
    const last = [...id.matchAll(PACKAGE)].at(-1);
    return last === undefined ? [] : relative(root, id.slice(0, last.index + last[0].length));
  });
  return [...new Set(folders)].sort();
}

/**
 * Rewrites `new URL('../x', import.meta.url)`: the path is relative to the module in src, and has to be relative to dist.
 * @param {string} root
 * @returns {import('rolldown').Plugin}
 */
function relocateUrls(root) {
  return {
    name: 'relocate-urls',
    transform: {
      filter: { id: /\/src\/.*\.ts$/, code: 'import.meta.url' },
      handler(code, id) {
        const moved = code.replace(
          /(?<=new URL\(\s*')\.[^']*(?=',\s*import\.meta\.url)/g,
          (path) => {
            const target = relative(`${root}dist`, resolve(dirname(id), path));
            return target.startsWith('.') ? target : `./${target}`;
          },
        );
        // The lines stay as they are, and with them the source map.
        return { code: moved, map: null };
      },
    },
  };
}

/**
 * Removes the optional import of picomatch from fdir. The bundle would load the caller's picomatch, whatever its version,
 * and needs none there: tinyglobby matches globs with the picomatch of the bundle.
 * @returns {import('rolldown').Plugin}
 */
function withoutForeignPicomatch() {
  return {
    name: 'without-foreign-picomatch',
    transform: {
      filter: { id: /\/node_modules\/fdir\// },
      handler(code, id) {
        const changed = code.replace(/^\t(?:pm = )?__require(?:\.resolve)?\("picomatch"\);$/gm, '');
        if (changed === code) throw new Error(`${id} does not import picomatch as expected`);
        // The lines stay as they are, and with them the source map.
        return { code: changed, map: null };
      },
    },
  };
}

/**
 * Leaves the text of libraries out of a source map: they are most of its size, and their lines are still named.
 * @param {string} file
 */
function dropLibrarySources(file) {
  /** @type {{ sources: string[], sourcesContent: (string | null)[] }} */
  const map = JSON.parse(readFileSync(file, 'utf8'));
  map.sourcesContent = map.sources.map((source, index) => {
    return source.includes('node_modules/') ? null : (map.sourcesContent[index] ?? null);
  });
  writeFileSync(file, JSON.stringify(map));
}
