import {
  type DistrustReason,
  decideTrust,
  type Trust,
  type Workspace,
} from '../../agents/gemini/trust.js';
import type { Finding } from '../../api/diagnosis.js';
import { ERROR_CODES } from '../../base/errors/codes.js';
import { note, ok, problem } from './finding.js';

const CHECK = 'workspace trust';

const FIXES: Readonly<Record<DistrustReason, string>> = {
  environment: 'Unset GEMINI_RESTRICTED_MODE and GEMINI_CLI_TRUST_WORKSPACE.',
  'broken-file': 'Correct the file: the CLI exits with 52.',
  folder: ERROR_CODES.UNTRUSTED_WORKSPACE.hint,
};

export function checkTrust(workspace: Workspace): {
  readonly trust: Trust;
  readonly finding: Finding;
} {
  const trust = decideTrust(workspace);
  return { trust, finding: describe(trust) };
}

function describe(trust: Trust): Finding {
  if (trust.isTrusted) return ok(CHECK, trust.message);
  if (trust.isRefused) {
    const code = trust.reason === 'broken-file' ? 'CLI_CONFIG' : 'UNTRUSTED_WORKSPACE';
    return problem(CHECK, trust.message, FIXES[trust.reason], code);
  }
  const message = `${trust.message}: a step can start, but only in approvalMode "default"`;
  return note(CHECK, message, FIXES[trust.reason]);
}
