import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** First words that leave the subject of a comment open. */
const VAGUE_FIRST_WORDS = new Set(
  (
    'what where whether who whoever those that they it one so which whose also not and but only then ' +
    'there'
  ).split(' '),
);

/** Persons without a name: a sentence names the user, the process or the file instead. */
const VAGUE_PERSON = /(?<![\w-])(?:(?:some|no|any)body|whoever|he)(?![\w-])/i;

const DIRECTIVE = /^(?:biome-ignore|@ts-|\/\s*<reference|#(?:end)?region\b|@license\b|@preserve\b)/;

/**
 * @typedef {{ readonly file: string, readonly line: number, readonly text: string }} Sentence
 * A comment, a message or a line of a document, with the file and line where its text begins.
 *
 * @typedef {{
 *   readonly comments: number,
 *   readonly vagueBeginnings: readonly Sentence[],
 *   readonly vaguePersons: readonly Sentence[],
 * }} Findings
 */

/**
 * Measures the comments and messages of a TypeScript file, or the lines of a Markdown file.
 *
 * @param {string} file
 * @returns {Findings}
 */
export function measureFile(file) {
  const text = readFileSync(file, 'utf8');
  return file.endsWith('.md') ? measureDocument(file, text) : measureSource(file, text);
}

/**
 * @param {string} file
 * @param {string} text
 * @returns {Findings}
 */
export function measureSource(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const comments = commentsIn(source);
  return {
    comments: comments.length,
    vagueBeginnings: comments.filter((comment) => hasVagueBeginning(comment.text)),
    vaguePersons: [...comments, ...messagesIn(source)]
      .filter(({ text }) => hasVaguePerson(text))
      .sort((a, b) => a.line - b.line),
  };
}

/**
 * Inline code of a document is left out: `nobody` may be the name of an account.
 *
 * @param {string} file
 * @param {string} text
 * @returns {Findings}
 */
export function measureDocument(file, text) {
  const lines = text.split('\n').map((line, index) => ({ file, line: index + 1, text: line }));
  const vaguePersons = lines.filter(({ text }) => hasVaguePerson(text.replace(/`[^`]*`/g, '')));
  return { comments: 0, vagueBeginnings: [], vaguePersons };
}

/**
 * @param {readonly Findings[]} all
 * @returns {Findings}
 */
export function sumFindings(all) {
  return {
    comments: all.reduce((sum, { comments }) => sum + comments, 0),
    vagueBeginnings: all.flatMap(({ vagueBeginnings }) => vagueBeginnings),
    vaguePersons: all.flatMap(({ vaguePersons }) => vaguePersons),
  };
}

/** @param {string} text */
function hasVagueBeginning(text) {
  return VAGUE_FIRST_WORDS.has(/^\W*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? '');
}

/** @param {string} text */
function hasVaguePerson(text) {
  return VAGUE_PERSON.test(text);
}

/**
 * Lists the comments of a file: a block is one comment, line comments that follow one another in the same column are
 * one comment. Directives for tools and licence banners are left out.
 *
 * @param {ts.SourceFile} source
 * @returns {Sentence[]}
 */
function commentsIn(source) {
  /** @type {{ line: number, lastLine: number, column: number, isLine: boolean, text: string }[]} */
  const comments = [];
  for (const range of commentRangesIn(source)) {
    const raw = source.text.slice(range.pos, range.end);
    if (raw.startsWith('/*!')) continue;
    const text = plainText(raw);
    if (text === '' || DIRECTIVE.test(text)) continue;
    const { line, character } = source.getLineAndCharacterOfPosition(range.pos);
    const isLine = range.kind === ts.SyntaxKind.SingleLineCommentTrivia;
    const before = comments.at(-1);
    if (isLine && before?.isLine && before.lastLine + 1 === line && before.column === character) {
      before.lastLine = line;
      before.text += ` ${text}`;
    } else {
      comments.push({ line, lastLine: line, column: character, isLine, text });
    }
  }
  return comments.map(({ line, text }) => ({ file: source.fileName, line: line + 1, text }));
}

/**
 * @param {ts.SourceFile} source
 * @returns {ts.CommentRange[]} in the order of the text, each once
 */
function commentRangesIn(source) {
  /** @type {Map<number, ts.CommentRange>} */
  const ranges = new Map();
  /** @param {ts.Node} node */
  const visit = (node) => {
    const children = node.getChildren(source).filter((child) => !ts.isJSDoc(child));
    if (children.length > 0) {
      children.forEach(visit);
      return;
    }
    const at = node.getFullStart();
    for (const range of [
      ...(ts.getTrailingCommentRanges(source.text, at) ?? []),
      ...(ts.getLeadingCommentRanges(source.text, at) ?? []),
    ]) {
      // The ranges of a token in a template would reach into its text.
      if (range.end <= node.getStart(source)) ranges.set(range.pos, range);
    }
  };
  visit(source);
  return [...ranges.values()].sort((a, b) => a.pos - b.pos);
}

/** @param {string} raw */
function plainText(raw) {
  const isBlock = raw.startsWith('/*');
  const inner = isBlock ? raw.slice(2, -2).replace(/^\*/, '') : raw.slice(2);
  const lines = inner.split('\n').map((line) => (isBlock ? line.replace(/^\s*\*/, '') : line));
  return lines
    .map((line) => line.trim())
    .join(' ')
    .trim();
}

/**
 * Lists the strings and templates that hold more than one word.
 *
 * @param {ts.SourceFile} source
 * @returns {Sentence[]}
 */
function messagesIn(source) {
  /** @type {Sentence[]} */
  const messages = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isStringLiteralLike(node) || isTemplatePart(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      if (/\s/.test(node.text)) {
        messages.push({ file: source.fileName, line: line + 1, text: node.text });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return messages;
}

/**
 * @param {ts.Node} node
 * @returns {node is ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail}
 */
function isTemplatePart(node) {
  return ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node);
}
