import { parseStepReference, renderStepReference, type StepReference } from './step-reference.js';

/** A piece of a prompt: as it is, or to be filled in. */
export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'reference'; readonly reference: StepReference }
  /** Braces that mean nothing; `text` is how they are written. */
  | { readonly kind: 'fault'; readonly text: string; readonly isOpen: boolean };

/** Looking back keeps a long row of backslashes from being tried at each of them. */
const BRACES = /(?<!\\)(\\*)(\{{2,})/g;
const TO_ESCAPE = /(?<!\\)(\\*)\{\{|(?<!\\)(\\+)\{?$/g;
const VARIABLE = /^[A-Za-z_][\w-]*$/;

/**
 * Takes a prompt apart. `\{{` is a literal `{{`, and `\\{{name}}` a backslash before a value. Of three braces or more,
 * the last two begin the placeholder.
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

/** Fills the variables in and leaves the references, so that what is filled in is never taken for one. */
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

/** The text that `parseTemplate` reads as this one. */
function escapeBraces(text: string, isBeforeReference: boolean): string {
  return text.replaceAll(TO_ESCAPE, (found: string, inside?: string, atEnd?: string) => {
    if (inside !== undefined) return `${inside}${inside}\\{{`;
    return isBeforeReference ? `${atEnd}${found}` : found;
  });
}
