import { parseStepReference, renderStepReference, type StepReference } from './step-reference.js';

/** A part of a prompt: literal text, or a placeholder to fill. */
export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'reference'; readonly reference: StepReference }
  /** An invalid placeholder. `text` is its source. */
  | { readonly kind: 'fault'; readonly text: string; readonly isOpen: boolean };

/** Braces with the backslashes before them. The lookbehind avoids a match attempt at each of many backslashes. */
const BRACES = /(?<!\\)(\\*)(\{{2,})/g;
const TO_ESCAPE = /(?<!\\)(\\*)\{\{|(?<!\\)(\\+)\{?$/g;
const VARIABLE = /^[A-Za-z_][\w-]*$/;

/**
 * Parses a prompt. `\{{` is a literal `{{`, and `\\{{name}}` is a backslash before a value. The last two of three or
 * more braces begin the placeholder.
 */
export function parseTemplate(source: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let text = '';
  let from = 0;
  const braces = new RegExp(BRACES);
  for (let match = braces.exec(source); match !== null; match = braces.exec(source)) {
    const [, slashes = '', opening = ''] = match;
    text += source.slice(from, match.index) + '\\'.repeat(Math.floor(slashes.length / 2));
    from = match.index + slashes.length + 2;
    if (slashes.length % 2 === 1) {
      text += '{{';
    } else {
      text += '{'.repeat(opening.length - 2);
      const begin = match.index + slashes.length + opening.length;
      const end = source.indexOf('}}', begin);
      from = end === -1 ? source.length : end + 2;
      parts.push({ kind: 'text', text });
      parts.push(toPlaceholder(source.slice(begin, end === -1 ? undefined : end), end === -1));
      text = '';
    }
    braces.lastIndex = from;
  }
  parts.push({ kind: 'text', text: text + source.slice(from) });
  return parts;
}

function toPlaceholder(content: string, isOpen: boolean): TemplatePart {
  const name = content.trim();
  if (isOpen) return { kind: 'fault', text: `{{${content}`, isOpen };
  if (VARIABLE.test(name)) return { kind: 'variable', name };
  const reference = parseStepReference(name);
  if (reference !== undefined) return { kind: 'reference', reference };
  return { kind: 'fault', text: `{{${content}}}`, isOpen };
}

/** Fills the variables and keeps the references. Escapes braces in values, which would be read as references. */
export function fillVariables(
  parts: readonly TemplatePart[],
  read: (name: string) => string,
): string {
  let filled = '';
  let literal = '';
  for (const part of parts) {
    if (part.kind === 'variable') literal += read(part.name);
    else if (part.kind !== 'reference') literal += part.text;
    else {
      filled += escapeBraces(literal, true) + renderStepReference(part.reference);
      literal = '';
    }
  }
  return filled + escapeBraces(literal, false);
}

/** Escapes braces, so that `parseTemplate` reads the result as this text. */
function escapeBraces(text: string, isBeforeReference: boolean): string {
  return text.replaceAll(TO_ESCAPE, (found: string, inside?: string, atEnd?: string) => {
    if (inside !== undefined) return `${inside}${inside}\\{{`;
    return isBeforeReference ? `${atEnd}${found}` : found;
  });
}
