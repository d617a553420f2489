import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkTemplate } from './check-template.js';
import type { ProblemList } from './problem-list.js';
import type { GivenStep } from './read-steps.js';
import type { StepReference } from './step-reference.js';
import { fillVariables, parseTemplate, type TemplatePart } from './template.js';
import type { VariableScope } from './variable-scope.js';

/** Message of a commit with its placeholders, or true for the usual message. */
export type CommitTemplate = true | readonly TemplatePart[];

/** Variables of a message that the step itself has. */
const OWN = new Set(['id', 'text']);
const OWN_TEXT: StepReference = { id: 'self', field: 'text', path: [] };

/**
 * Creates a function that reads `commit` of a step, or that of the defaults, and reports a wrong message and a working
 * directory outside of every repository. A problem of the defaults is reported once.
 */
export function createCommitReader(usual: boolean | string | undefined, problems: ProblemList) {
  const isInRepository = createRepositorySearch();
  const reported = new Set<string>();
  const reportOnce = (key: string, report: () => void): void => {
    if (reported.has(key)) return;
    const before = problems.count();
    report();
    if (problems.count() > before) reported.add(key);
  };
  return (
    { at: stepAt, commit: own }: GivenStep,
    scope: VariableScope,
    workingDir: string | undefined,
  ): CommitTemplate | undefined => {
    const commit = own ?? usual;
    if (commit === undefined || commit === false) return undefined;
    const at = own === undefined ? ['defaults', 'commit'] : [...stepAt, 'commit'];
    const key = at.join('.');
    if (workingDir !== undefined) {
      reportOnce(`${key} ${workingDir}`, () => {
        if (isInRepository(workingDir)) return;
        problems.add(at, commit, `needs a git repository, and ${workingDir} is not in one`);
      });
    }
    if (commit === true) return true;
    const parts = parseTemplate(commit);
    reportOnce(key, () => {
      checkTemplate(parts, withOwn(scope), at, problems);
      for (const part of parts) {
        if (part.kind !== 'reference') continue;
        const problem = 'must not refer to a step: use {{id}}, {{text}} or a variable';
        problems.add(at, commit, problem);
      }
    });
    return parts;
  };
}

function withOwn(scope: VariableScope): VariableScope {
  return {
    ...scope,
    has: (name) => OWN.has(name) || scope.has(name),
    names: () => [...OWN, ...scope.names()],
  };
}

/**
 * Fills the variables of a message. `{{text}}` becomes a reference to the step itself, which is filled in when the answer
 * is known.
 */
export function fillCommit(
  commit: CommitTemplate,
  id: string,
  read: (name: string) => string,
): true | string {
  if (commit === true) return true;
  const parts = commit.map((part): TemplatePart => {
    const isText = part.kind === 'variable' && part.name === 'text';
    return isText ? { kind: 'reference', reference: OWN_TEXT } : part;
  });
  return fillVariables(parts, (name) => (name === 'id' ? id : read(name)));
}

/** Creates a function that is true for folders in a working tree of git. Looks for `.git` only, and starts no process. */
function createRepositorySearch() {
  const known = new Map<string, boolean>();
  const search = (folder: string): boolean => {
    const earlier = known.get(folder);
    if (earlier !== undefined) return earlier;
    const parent = dirname(folder);
    const isFound = existsSync(join(folder, '.git')) || (parent !== folder && search(parent));
    known.set(folder, isFound);
    return isFound;
  };
  return search;
}
