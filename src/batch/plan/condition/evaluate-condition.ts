import { canonicalJson } from '../../../base/json/canonical-json.js';
import type { StepReference } from '../step-reference.js';
import type { ComparisonOperator, Condition } from './condition.js';

/** Evaluates a condition whose variables are filled in. A value that does not exist is null. */
export function evaluateCondition(
  condition: Condition,
  read: (reference: StepReference) => unknown,
): boolean {
  const valueAtPart = (part: Condition): unknown => {
    switch (part.kind) {
      case 'literal':
        return part.value;
      case 'reference':
        return read(part.reference) ?? null;
      case 'variable':
        return null;
      case 'and':
        return part.parts.every((one) => isTrue(valueAtPart(one)));
      case 'or':
        return part.parts.some((one) => isTrue(valueAtPart(one)));
      case 'not':
        return !isTrue(valueAtPart(part.part));
      case 'compare':
        return compare(part.operator, valueAtPart(part.left), valueAtPart(part.right));
    }
  };
  return isTrue(valueAtPart(condition));
}

/** True for all values but false, null, 0, an empty text and an empty list. */
function isTrue(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

function compare(operator: ComparisonOperator, left: unknown, right: unknown): boolean {
  switch (operator) {
    case '==':
      return isEqual(left, right);
    case '!=':
      return !isEqual(left, right);
    case 'contains':
      return Array.isArray(left)
        ? left.some((item) => isEqual(item, right))
        : typeof left === 'string' && right !== null && left.includes(String(right));
    default:
      return isOrdered(operator, toNumber(left), toNumber(right));
  }
}

/** Compares texts, numbers, true and false by their text, so that `3` in a plan equals `'3'`. */
function isEqual(left: unknown, right: unknown): boolean {
  if (left === null || right === null) return left === right;
  if (typeof left === 'object' || typeof right === 'object') {
    return typeof left === typeof right && toText(left) === toText(right);
  }
  return String(left) === String(right);
}

function toText(value: unknown): string {
  return canonicalJson(value, () => '');
}

/** False if a side is no number: NaN is neither above nor below any number. */
function isOrdered(operator: '<' | '<=' | '>' | '>=', left: number, right: number): boolean {
  if (operator === '<') return left < right;
  if (operator === '<=') return left <= right;
  return operator === '>' ? left > right : left >= right;
}

function toNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}
