import type { BatchReport } from '../../api/batch-report.js';

/** Yields `report.json` in pieces: the texts of a large batch may be longer than one string can be. */
export function reportJson(report: BatchReport): Generator<string> {
  return objectJson(report);
}

/** Yields `manifest.json` in pieces. */
export function manifestJson({ files }: Pick<BatchReport, 'files'>): Generator<string> {
  return objectJson({ files });
}

const PIECE_CHARACTERS = 256 * 1024;

/** Yields the same text as `JSON.stringify(value, undefined, 2)`. Items of lists are written one by one. */
function* objectJson(value: object): Generator<string> {
  let piece = '{';
  let separator = '\n';
  for (const [key, property] of Object.entries(value)) {
    if (property === undefined) continue;
    piece += `${separator}  ${JSON.stringify(key)}: `;
    separator = ',\n';
    if (!Array.isArray(property) || property.length === 0) {
      piece += indent(property, '  ');
      continue;
    }
    for (const [index, item] of property.entries()) {
      piece += `${index === 0 ? '[' : ','}\n    ${indent(item, '    ')}`;
      if (piece.length < PIECE_CHARACTERS) continue;
      yield piece;
      piece = '';
    }
    piece += '\n  ]';
  }
  yield `${piece}\n}\n`;
}

function indent(value: unknown, by: string): string {
  return (JSON.stringify(value, undefined, 2) ?? 'null').replaceAll('\n', `\n${by}`);
}
