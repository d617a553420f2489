const LANGUAGES: Readonly<Record<string, string>> = {
  bash: 'bash zsh sh',
  c: 'c h',
  cpp: 'cc cpp cxx hh hpp',
  csharp: 'cs',
  css: 'css scss less',
  go: 'go',
  ini: 'ini toml cfg conf properties',
  java: 'java',
  javascript: 'js jsx mjs cjs',
  json: 'json jsonc json5 jsonl ndjson webmanifest',
  kotlin: 'kt kts',
  markdown: 'md markdown mdx',
  php: 'php',
  python: 'py pyi',
  ruby: 'rb gemspec rake',
  rust: 'rs',
  sql: 'sql',
  swift: 'swift',
  typescript: 'ts tsx mts cts',
  xml: 'xml html htm xhtml svg vue svelte',
  yaml: 'yaml yml',
};

const LANGUAGE_OF_NAME: Readonly<Record<string, string>> = {
  gemfile: 'ruby',
  rakefile: 'ruby',
  '.gitconfig': 'ini',
  '.editorconfig': 'ini',
  '.npmrc': 'ini',
  '.env': 'ini',
  '.bashrc': 'bash',
};

const languageOfExtension = new Map(
  Object.entries(LANGUAGES).flatMap(([language, extensions]) =>
    extensions.split(' ').map((extension): [string, string] => [extension, language]),
  ),
);

/** Returns the highlighter's name for the language of a file; undefined if neither name nor extension is known. */
export function languageOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (Object.hasOwn(LANGUAGE_OF_NAME, name)) return LANGUAGE_OF_NAME[name];
  return languageOfExtension.get(name.slice(name.lastIndexOf('.') + 1));
}
