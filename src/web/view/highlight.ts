import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import markdown from 'highlight.js/lib/languages/markdown';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { type CodeToken, TokenLines } from '../model/token-lines.js';
import { type Child, h } from './element.js';

const LANGUAGES = {
  bash,
  c,
  cpp,
  csharp,
  css,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  markdown,
  php,
  python,
  ruby,
  rust,
  sql,
  swift,
  typescript,
  xml,
  yaml,
};

/** Longer code stays plain, because highlighting would block the page. */
const LONGEST_HIGHLIGHTED = 150_000;

/** Emitter with the methods that highlight.js calls; its types declare only some of them. */
class LineEmitter extends TokenLines {
  openNode(scope: string): void {
    this.startScope(scope);
  }

  closeNode(): void {
    this.endScope();
  }

  __addSublanguage(emitter: unknown): void {
    if (emitter instanceof TokenLines) this.addLines(emitter.lines);
  }
  toHTML(): string {
    return '';
  }
  finalize(): void {}
}

let isReady = false;

/** Returns the tokens of each line; undefined if the language is unknown or the code too long. */
export function highlightLines(
  code: string,
  language: string | undefined,
): readonly (readonly CodeToken[])[] | undefined {
  if (language === undefined || code.length > LONGEST_HIGHLIGHTED) return undefined;
  if (!isReady) {
    highlighter.configure({ __emitter: LineEmitter });
    for (const [name, definition] of Object.entries(LANGUAGES)) {
      highlighter.registerLanguage(name, definition);
    }
    isReady = true;
  }
  const emitter: unknown = highlighter.highlight(code, { language, ignoreIllegals: true })._emitter;
  return emitter instanceof TokenLines ? emitter.lines : undefined;
}

/** Renders one line in colours. If the tokens do not add up to the text, renders the text plain. */
export function renderCode(text: string, tokens: readonly CodeToken[] = []): readonly Child[] {
  const isWhole = tokens.map((token) => token.text).join('') === text;
  if (!isWhole) return [text];
  return tokens.map((token) => h('span', { class: classOf(token.scope) }, token.text));
}

/** Returns the CSS class of the first part of a scope: `title.function` gives `code-title`. */
function classOf(scope: string | undefined): string | undefined {
  return scope === undefined ? undefined : `code-${scope.replace(/[.:].*$/, '')}`;
}
