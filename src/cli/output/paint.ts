import { randomInt } from 'node:crypto';
import pc from 'picocolors';

const STYLES = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'] as const;

/** Functions that colour a text, or return it unchanged. */
export type Paint = Readonly<Record<(typeof STYLES)[number], (text: string) => string>> & {
  readonly isColorSupported: boolean;
};

/**
 * Number in the colour codes of this process. Texts of models, files and plans cannot contain it, so that the codes of
 * `createPaint` can be told from theirs. Four groups of four digits: `fitWidth` knows parameters of that length.
 */
const SEAL = Array.from({ length: 4 }, () => randomInt(1000, 10_000)).join(';');
const SEALED_CODE = new RegExp(`${String.fromCharCode(0x1b)}\\[${SEAL};(\\d+)m`);

/** Creates a paint. Its colour codes mean nothing to a terminal until `splitAtColors` has found them. */
export function createPaint(hasColors: boolean): Paint {
  const colors = pc.createColors(hasColors);
  const style = (name: (typeof STYLES)[number]) => {
    const [open = '', close = ''] = colors[name]('|').split('|').map(seal);
    return (text: string) => `${open}${text}${close}`;
  };
  return {
    isColorSupported: hasColors,
    bold: style('bold'),
    dim: style('dim'),
    red: style('red'),
    green: style('green'),
    yellow: style('yellow'),
    cyan: style('cyan'),
  };
}

function seal(code: string): string {
  return code.replace('[', `[${SEAL};`);
}

/** Cleans the text between the colours of `createPaint` with `clean`, and turns these colours into terminal codes. */
export function cleanPainted(text: string, clean: (text: string) => string): string {
  return text
    .split(SEALED_CODE)
    .map((part, index) => (index % 2 === 0 ? clean(part) : `\u001b[${part}m`))
    .join('');
}
