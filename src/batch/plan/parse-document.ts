import { Composer, type Document, LineCounter, Parser } from 'yaml';
import { messageOf } from '../../base/errors/message-of.js';
import { DEEPEST, findDeepToken, findFaultyNodes, findOffset } from './document-nodes.js';
import type { PlanPath } from './plan-source.js';

/** Most syntax faults that are reported. After one mistake the parser may report every line that follows. */
const MOST_SYNTAX_FAULTS = 20;

export interface DocumentFault {
  readonly path: PlanPath;
  readonly line: number;
  readonly problem: string;
}

export interface ParsedDocument {
  /** Content of the document. Undefined if the faults make it unreadable. */
  readonly content: unknown;
  readonly faults: readonly DocumentFault[];
  /** Returns the line of a path, from 1. */
  lineOf(path: PlanPath): number;
}

/** Parses YAML or JSON. The YAML parser reads both; its `json` schema refuses texts without quotes. */
export function parseDocument(text: string, syntax: 'yaml' | 'json'): ParsedDocument {
  const lines = new LineCounter();
  const lineAt = (offset: number): number => Math.max(1, lines.linePos(offset).line);
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  const deep = tokens.map(findDeepToken).find((token) => token !== undefined);
  if (deep !== undefined) {
    const problem = `is nested deeper than ${DEEPEST} levels`;
    return unreadable([{ path: [], line: lineAt(deep.offset), problem }]);
  }
  const composer = new Composer({
    ...(syntax === 'json' ? { schema: 'json' } : { merge: true }),
    // `findFaultyNodes` reports keys that are given twice, with their path and together with all other faults.
    uniqueKeys: false,
    logLevel: 'silent',
  });
  const [document, second] = [...composer.compose(tokens, true, text.length)];
  if (document === undefined) return unreadable([]);
  const syntaxFaults = [...document.errors, ...document.warnings].map(({ message, pos }) => {
    return { path: [], line: lineAt(pos[0]), problem: describeSyntax(message, syntax) };
  });
  if (second !== undefined) {
    const problem = 'holds more than one document';
    syntaxFaults.push({ path: [], line: lineAt(second.range[0]), problem });
  }
  if (syntaxFaults.length > 0) return unreadable(onePerLine(syntaxFaults));
  const faults = findFaultyNodes(document).map(({ offset, path, problem }) => {
    return { path, problem, line: lineAt(offset) };
  });
  const lineOf = (path: PlanPath) => lineAt(findOffset(document, path));
  return { ...readContent(document, faults), lineOf };
}

function unreadable(faults: readonly DocumentFault[]): ParsedDocument {
  return { content: undefined, faults, lineOf: () => 1 };
}

function describeSyntax(message: string, syntax: 'yaml' | 'json'): string {
  return message.startsWith('Unresolved plain scalar')
    ? 'is not JSON: texts need double quotes'
    : `is not ${syntax.toUpperCase()}: ${message}`;
}

function onePerLine(faults: readonly DocumentFault[]): DocumentFault[] {
  const byLine = new Map<number, DocumentFault>();
  for (const fault of faults) if (!byLine.has(fault.line)) byLine.set(fault.line, fault);
  return [...byLine.values()].slice(0, MOST_SYNTAX_FAULTS);
}

function readContent(document: Document, faults: readonly DocumentFault[]) {
  try {
    const content: unknown = document.toJS();
    return { content, faults };
  } catch (error) {
    if (faults.length > 0) return { content: undefined, faults };
    // `toJS` throws if a few aliases would expand to a huge document.
    const problem = messageOf(error);
    return { content: undefined, faults: [{ path: [], line: 1, problem }] };
  }
}
