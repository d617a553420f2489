import ts from 'typescript';

/** Files with the public types of plans and configuration. */
const FILES = [
  'src/api/provider-config.ts',
  'src/api/acp-options.ts',
  'src/api/batch-limits.ts',
  'src/api/batch-plan.ts',
  'src/api/finish-settings.ts',
  'src/api/expectations.ts',
];

/**
 * Reads the comments of the members of public interfaces, with those of the interfaces that they extend.
 * @param {string} root
 * @returns {(name: string) => ReadonlyMap<string, Record<string, unknown>>} description and default by key
 */
export function readComments(root) {
  /** @type {Map<string, { members: Map<string, Record<string, unknown>>, bases: string[] }>} */
  const interfaces = new Map();
  for (const file of FILES) {
    const text = ts.sys.readFile(`${root}${file}`) ?? '';
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    source.forEachChild((node) => {
      if (!ts.isInterfaceDeclaration(node)) return;
      const bases = (node.heritageClauses ?? []).flatMap(({ types }) =>
        types.map(({ expression }) => expression.getText()),
      );
      const members = node.members.flatMap((member) => {
        const name = member.name?.getText();
        /** @type {[string, Record<string, unknown>][]} */
        const found = name === undefined ? [] : [[name, describeMember(member)]];
        return found;
      });
      interfaces.set(node.name.text, { members: new Map(members), bases });
    });
  }
  /** @type {(name: string) => Map<string, Record<string, unknown>>} */
  const collect = (name) => {
    const found = interfaces.get(name);
    if (found === undefined) throw new Error(`There is no public interface ${name}`);
    return new Map([...found.bases.flatMap((base) => [...collect(base)]), ...found.members]);
  };
  return collect;
}

/** @param {ts.TypeElement} member */
function describeMember(member) {
  const [comment] = ts.getJSDocCommentsAndTags(member);
  const text = comment === undefined ? '' : (ts.getTextOfJSDocComment(comment.comment) ?? '');
  const tag = ts.getJSDocTags(member).find(({ tagName }) => tagName.text === 'defaultValue');
  const usual = tag === undefined ? '' : (ts.getTextOfJSDocComment(tag.comment) ?? '');
  const description = [text, usual === '' ? '' : `Default: ${usual}.`].join(' ');
  return { description: description.replaceAll(/\s+/g, ' ').trim(), ...parseDefault(usual) };
}

/** @param {string} text */
function parseDefault(text) {
  const [, code] = /^`([^`]+)`/.exec(text) ?? [];
  if (code === undefined) return {};
  try {
    return { default: JSON.parse(code.replace(/^'(.*)'$/, '"$1"')) };
  } catch {
    return {};
  }
}
