import { type CST, type Document, isAlias, isMap, isNode, isScalar, isSeq } from 'yaml';
import { toSnakeCase } from '../../base/text/snake-case.js';
import type { PlanPath } from './plan-source.js';

/** Most levels in a document. No plan needs more, and far deeper nesting makes the parser crash the process. */
export const DEEPEST = 200;

/** Finds a token below `DEEPEST` levels. Uses no recursion, so that the check cannot overflow the call stack. */
export function findDeepToken(root: CST.Token): CST.Token | undefined {
  const pending = [{ token: root, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { token, depth } = next;
    if (depth > DEEPEST) return token;
    for (const inner of innerTokens(token)) pending.push({ token: inner, depth: depth + 1 });
  }
  return undefined;
}

function innerTokens(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return token.value === undefined ? [] : [token.value];
  if (!('items' in token)) return [];
  return token.items.flatMap(({ key, value }) => [key ?? [], value ?? []].flat());
}

export interface FaultyNode {
  readonly path: PlanPath;
  readonly offset: number;
  readonly problem: string;
}

/** Finds keys that are given twice and aliases of anchors that do not exist. */
export function findFaultyNodes(document: Document): FaultyNode[] {
  const faults: FaultyNode[] = [];
  const visit = (node: unknown, path: PlanPath): void => {
    if (isAlias(node)) {
      if (node.resolve(document) !== undefined) return;
      const problem = `refers to the anchor "${node.source}", which does not exist`;
      faults.push({ path, offset: offsetOf(node) ?? 0, problem });
    } else if (isSeq(node)) {
      for (const [index, item] of node.items.entries()) visit(item, [...path, index]);
    } else if (isMap(node)) {
      const seen = new Set<string>();
      for (const pair of node.items) {
        const key = keyText(pair.key);
        const inner = [...path, key];
        if (seen.has(key)) {
          const problem = 'is given more than once';
          faults.push({ path: inner, offset: offsetOf(pair.key) ?? 0, problem });
        }
        seen.add(key);
        visit(pair.value, inner);
      }
    }
  };
  visit(document.contents, []);
  return faults;
}

/** Returns the offset of a path in the text, or that of its nearest parent that exists. */
export function findOffset(document: Document, path: PlanPath): number {
  let node: unknown = document.contents;
  let offset = offsetOf(node) ?? 0;
  for (const part of path) {
    if (isSeq(node) && typeof part === 'number') {
      node = node.items[part];
      offset = offsetOf(node) ?? offset;
    } else if (isMap(node)) {
      const spellings = [String(part), toSnakeCase(String(part))];
      const pair = node.items.find(({ key }) => spellings.includes(keyText(key)));
      node = pair?.value;
      offset = offsetOf(pair?.key) ?? offset;
    } else break;
  }
  return offset;
}

function keyText(key: unknown): string {
  return isScalar(key) ? String(key.value) : String(key);
}

function offsetOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}
