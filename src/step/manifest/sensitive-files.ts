import { isObject } from '../../base/json/is-object.js';

export interface SensitiveFileRequest {
  /** Path relative to the working directory with forward slashes; an absolute path outside of the workspace. */
  readonly path: string;
  /** Names of the files that the agent reads as instructions. */
  readonly contextFiles: readonly string[];
  /** Old and new content, as far as they are known. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Files that other programs obey or execute later, with the reason. The first pattern that matches decides. */
const SENSITIVE: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\/)\.gemini\/(?!tmp\/)|(?:^|\/)\.env$/, 'the agent obeys this file at its next start'],
  [
    /(?:^|\/)\.git$|(?:^|\/)\.git\/(?:.*\/)?(?:config|config\.worktree|hooks\/.*|info\/.*)$/,
    'git obeys this file and runs commands from it',
  ],
  [
    /(?:^|\/)(?:AGENTS|CLAUDE|QWEN|GEMINI)\.md$|(?:^|\/)\.(?:cursorrules|windsurfrules|clinerules|mcp\.json|aider\.conf\.yml)$|(?:^|\/)\.(?:claude|qwen|codex|cursor|windsurf|roo|continue)\/|(?:^|\/)\.github\/(?:copilot-instructions\.md|prompts\/|instructions\/)/,
    'agents read this file as instructions or settings',
  ],
  [
    /(?:^|\/)(?:\.npmrc|\.yarnrc|\.yarnrc\.yml|\.pnpmfile\.cjs|bunfig\.toml|pip\.conf|\.pypirc)$|(?:^|\/)\.yarn\/(?:releases|plugins)\//,
    'package managers obey this file',
  ],
  [
    /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?)$/,
    'package managers install what this file names',
  ],
  [
    /(?:^|\/)\.github\/(?:workflows|actions)\/|(?:^|\/)(?:\.gitlab-ci\.yml|\.travis\.yml|\.drone\.yml|Jenkinsfile|azure-pipelines\.yml|bitbucket-pipelines\.yml|appveyor\.yml|cloudbuild\.yaml)$|(?:^|\/)\.(?:circleci|gitlab|buildkite|woodpecker|teamcity)\//,
    'a CI server runs commands from this file',
  ],
  [
    /(?:^|\/)\.vscode\/(?:tasks|launch|settings|extensions|mcp)\.json$|(?:^|\/)\.(?:idea|devcontainer|zed|fleet)\/|\.code-workspace$|(?:^|\/)\.(?:exrc|nvimrc|nvim\.lua|editorconfig\.js)$/,
    'an editor obeys this file and may run commands from it',
  ],
  [
    /(?:^|\/)\.(?:husky|githooks)\/|(?:^|\/)(?:\.gitattributes|\.gitmodules|\.pre-commit-config\.yaml|\.?lefthook\.ya?ml|\.lintstagedrc(?:\.\w+)?)$/,
    'git or its hooks obey this file',
  ],
  [
    /(?:^|\/)\.(?:bashrc|bash_profile|bash_login|bash_logout|profile|zshrc|zshenv|zprofile|zlogin|envrc|inputrc|mise\.toml|tool-versions)$|(?:^|\/)(?:mise\.toml|config\.fish)$/,
    'a shell runs this file',
  ],
  [
    /(?:^|\/)(?:GNUmakefile|[Mm]akefile|Justfile|justfile|Taskfile\.ya?ml|Rakefile|Dockerfile(?:\.\w+)?|Containerfile|(?:docker-)?compose(?:\.\w+)?\.ya?ml|setup\.py|conftest\.py|noxfile\.py|build\.rs|build\.gradle(?:\.kts)?|settings\.gradle(?:\.kts)?|CMakeLists\.txt)$|(?:^|\/)\.cargo\/config(?:\.toml)?$/,
    'build tools run commands from this file',
  ],
  [
    /(?:^|\/)\.ssh\/|^\/etc\/|(?:^|\/)\.config\/(?:autostart|systemd)\/|(?:^|\/)\.gitconfig$|\/cron(?:tabs|\.\w+)?\//,
    'the system obeys this file',
  ],
];

/** Keys of package.json from which a package manager runs or installs code. */
const RUN_BY_NPM: readonly (readonly [readonly string[], string])[] = [
  [['scripts'], 'npm runs the scripts of this file'],
  [
    [
      'dependencies',
      'devDependencies',
      'optionalDependencies',
      'peerDependencies',
      'overrides',
      'resolutions',
      'workspaces',
      'packageManager',
      'bin',
    ],
    'package managers install and run what this file names',
  ],
];

/** Returns why a change of the file needs attention, or undefined for an ordinary file. */
export function explainSensitivity(request: SensitiveFileRequest): string | undefined {
  const { path, contextFiles } = request;
  if (contextFiles.some((name) => path === name || path.endsWith(`/${name}`))) {
    return 'the agent reads this file as instructions';
  }
  if (/(?:^|\/)package\.json$/.test(path)) return explainPackage(request);
  return SENSITIVE.find(([pattern]) => pattern.test(path))?.[1];
}

/** Compares the parts of package.json that run code. A content that is not known counts as changed. */
function explainPackage({ before, after }: SensitiveFileRequest): string | undefined {
  const [old, now] = [parse(before), parse(after)];
  return RUN_BY_NPM.find(([keys]) => {
    return keys.some((key) => JSON.stringify(old?.[key]) !== JSON.stringify(now?.[key]));
  })?.[1];
}

function parse(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
