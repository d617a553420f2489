import { lexer, type Token, type Tokens } from 'marked';
import type { ComponentChildren, JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { revealControls } from '../../../web/reveal-controls.js';

const SAFE_LINK = /^https?:\/\//i;

/**
 * Shows Markdown. The text is parsed into tokens, and each token becomes an element with text nodes: markup in the text stays
 * text, images become links, and a link shows its host.
 */
export function MarkdownView({ text }: { readonly text: string }): JSX.Element {
  const tokens = useMemo(() => lexer(revealControls(text), { gfm: true, breaks: true }), [text]);
  return (
    <div class="markdown" dir="auto">
      {tokens.map(renderBlock)}
    </div>
  );
}

function renderBlock(token: Token, key: number): ComponentChildren {
  switch (token.type) {
    case 'heading':
      return <h3 key={key}>{renderInline(token.tokens)}</h3>;
    case 'paragraph':
      return <p key={key}>{renderInline(token.tokens)}</p>;
    case 'text':
      return <span key={key}>{'tokens' in token ? renderInline(token.tokens) : token.raw}</span>;
    case 'code':
      return (
        <pre
          key={key}
          class="text"
          tabIndex={0}
          role="group"
          aria-label={`Code ${token['lang'] ?? ''}`.trim()}
        >
          {String(token['text'])}
        </pre>
      );
    case 'blockquote':
      return <blockquote key={key}>{(token.tokens ?? []).map(renderBlock)}</blockquote>;
    case 'list': {
      const { ordered, items, start } = token as Tokens.List;
      const rows = items.map((item, index) => <li key={index}>{item.tokens.map(renderBlock)}</li>);
      return ordered ? (
        <ol key={key} start={start === '' ? 1 : start}>
          {rows}
        </ol>
      ) : (
        <ul key={key}>{rows}</ul>
      );
    }
    case 'table':
      return renderTable(token as Tokens.Table, key);
    case 'hr':
      return <hr key={key} />;
    case 'space':
      return null;
    default:
      return <p key={key}>{token.raw}</p>;
  }
}

function renderTable({ header, rows }: Tokens.Table, key: number): JSX.Element {
  return (
    <div key={key} class="table" tabIndex={0} role="group" aria-label="Table">
      <table>
        <thead>
          <tr>
            {header.map((cell, index) => (
              <th key={index} scope="col">
                {renderInline(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, at) => (
                <td key={at}>{renderInline(cell.tokens)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function renderInline(tokens: readonly Token[] | undefined): ComponentChildren {
  return (tokens ?? []).map((token, key) => {
    switch (token.type) {
      case 'strong':
        return <strong key={key}>{renderInline(token.tokens)}</strong>;
      case 'em':
        return <em key={key}>{renderInline(token.tokens)}</em>;
      case 'del':
        return <del key={key}>{renderInline(token.tokens)}</del>;
      case 'codespan':
        return <code key={key}>{String(token['text'])}</code>;
      case 'br':
        return <br key={key} />;
      case 'link':
      case 'image':
        return <LinkView key={key} href={String(token['href'])} label={String(token['text'])} />;
      case 'text':
      case 'escape':
        return 'tokens' in token && token.tokens
          ? renderInline(token.tokens)
          : String(token['text']);
      default:
        return token.raw;
    }
  });
}

/** A link with its host, so that the words of a model do not hide where it leads. */
function LinkView({ href, label }: { readonly href: string; readonly label: string }): JSX.Element {
  if (!SAFE_LINK.test(href) || !URL.canParse(href)) return <span>{`${label} (${href})`}</span>;
  const { host } = new URL(href);
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {label === href ? href : `${label} (${host})`}
    </a>
  );
}
