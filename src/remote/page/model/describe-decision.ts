import type { RemoteDecisionEntry } from '../../../api/remote-entry.js';

const WORDS = {
  allow: 'Allowed',
  'allow-for-session': 'Allowed for this session',
  deny: 'Denied',
  answer: 'Answered',
  choose: 'Answered',
} as const;

/** Says how a request was answered, and by which device. */
export function describeDecision({ outcome, decision, by }: RemoteDecisionEntry): string {
  if (outcome === 'desk') return 'Answered at the desk.';
  if (outcome === 'withdrawn') return 'No answer is needed any more.';
  const word = WORDS[decision?.type ?? 'answer'];
  const reason = decision?.type === 'deny' && decision.reason ? `: ${decision.reason}` : '';
  return `${word} by ${by === 'rule' ? 'a rule of this session' : by}${reason}`;
}
