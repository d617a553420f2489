/**
 * The table of CLI versions in src/agents/README.md, drawn from the results of the last `npm run test:versions`. A test in
 * the gate compares both.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const RESULTS = fileURLToPath(
  new URL('../integration/versions/results.json', import.meta.url),
);
export const MANUAL = fileURLToPath(new URL('../src/agents/README.md', import.meta.url));
const BEGIN = '<!-- versions:begin -->';
const END = '<!-- versions:end -->';

/**
 * Results of one version: for each driver, the names of the tests and whether they passed.
 * @typedef {Record<'headless' | 'acp', Record<string, boolean>>} VersionResult
 * @typedef {{ readonly node: string, readonly versions: Record<string, VersionResult> }} VersionResults
 */

/** @returns {VersionResults} */
export function readResults() {
  return JSON.parse(readFileSync(RESULTS, 'utf8'));
}

/**
 * Draws the table: a row for each promise and a column for each version. `yes` means both drivers.
 * @param {VersionResults} results
 * @returns {string}
 */
export function drawVersionTable({ versions }) {
  const columns = Object.keys(versions).sort(compareVersions);
  const promises = [
    ...new Set(
      columns.flatMap((version) => {
        return Object.values(versions[version] ?? {}).flatMap((tests) => Object.keys(tests));
      }),
    ),
  ];
  const rows = promises.map((promise) => {
    const cells = columns.map((version) => describeCell(versions[version], promise));
    return `| ${promise} | ${cells.join(' | ')} |`;
  });
  return [
    `| | ${columns.join(' | ')} |`,
    `|---|${columns.map(() => '---').join('|')}|`,
    ...rows,
  ].join('\n');
}

/**
 * @param {VersionResult | undefined} result
 * @param {string} promise
 */
function describeCell(result, promise) {
  const drivers = Object.entries(result ?? {}).filter(([, tests]) => promise in tests);
  const passed = drivers.filter(([, tests]) => tests[promise]).map(([driver]) => driver);
  if (passed.length === drivers.length) return 'yes';
  return passed.length === 0 ? 'no' : `${passed.join(', ')} only`;
}

/**
 * @param {string} a
 * @param {string} b
 */
export function compareVersions(a, b) {
  return a.localeCompare(b, 'en', { numeric: true });
}

/**
 * Puts the table between the two markers of the manual.
 * @param {string} text
 * @param {string} table
 */
export function insertVersionTable(text, table) {
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`The text lacks ${BEGIN} and ${END}`);
  return `${text.slice(0, begin + BEGIN.length)}\n${table}\n${text.slice(end)}`;
}
