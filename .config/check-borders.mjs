/** `npm run borders` checks the imports of src; with `--draw` it also writes the picture of the wings into src/README.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { drawBorders, findBorderProblems, insertDrawing, readImports } from './borders.mjs';

const readme = new URL('../src/README.md', import.meta.url);
const { imports, cycles } = await readImports();
const problems = [
  ...findBorderProblems(imports),
  ...cycles.map((cycle) => `Import cycle: ${cycle}`),
];
for (const problem of problems) console.error(problem);
if (process.argv.includes('--draw')) {
  writeFileSync(readme, insertDrawing(readFileSync(readme, 'utf8'), drawBorders(imports)));
}
console.log(`${imports.length} imports, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
