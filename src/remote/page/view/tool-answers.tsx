import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RemoteDecision, RemoteRequest } from '../../../api/remote-request.js';
import { revealControls } from '../../../web/reveal-controls.js';
import { describeRule } from '../model/describe-rule.js';

export interface AnswerProps {
  readonly request: RemoteRequest;
  readonly isSending: boolean;
  readonly answer: (decision: RemoteDecision) => Promise<void>;
}

/** What a person should know about the reason of a denial before it is sent. */
const REASON_REMARKS: Readonly<Record<RemoteRequest['reasonWay'], string | undefined>> = {
  refusal: undefined,
  'after-turn': 'The reason follows as a prompt when the turn is over.',
  'new-turn':
    'The dialog is open at the desk: Deny ends the turn, and the agent forgets it. With a reason, your request is sent again together with the reason.',
  none: 'The agent is not told a reason.',
};

/** Buttons that allow or refuse a tool call. */
export function ToolAnswers({ request, isSending, answer }: AnswerProps): JSX.Element {
  const [reason, setReason] = useState('');
  const [acceptsCut, setAcceptsCut] = useState(false);
  const { inputHash, isDenyOnly, reasonWay, isCut = false } = request;
  const rule = describeRule(request);
  // What was not shown is allowed only by a person who has said so.
  const mayAllow = !isSending && (!isCut || acceptsCut);
  const remark = REASON_REMARKS[reasonWay];
  return (
    <div class="answers">
      {isCut && (
        <p class="notice is-warning" role="note">
          A part of this call is not shown: it is too long for the page, or is no text.
        </p>
      )}
      {!isDenyOnly && (
        <>
          {isCut && (
            <label class="option is-wide">
              <input
                type="checkbox"
                checked={acceptsCut}
                onChange={({ currentTarget }) => setAcceptsCut(currentTarget.checked)}
              />
              Allow without having seen all
            </label>
          )}
          <button
            class="is-main"
            type="button"
            disabled={!mayAllow}
            onClick={() => void answer({ type: 'allow', inputHash })}
          >
            Allow
          </button>
          {rule !== undefined && (
            <button
              type="button"
              disabled={!mayAllow}
              onClick={() => void answer({ type: 'allow-for-session', inputHash })}
            >
              <span>
                Allow for this session: <span class="name">{revealControls(rule.name)}</span>
                {rule.remark === undefined ? '' : ` (${rule.remark})`}
              </span>
            </button>
          )}
        </>
      )}
      {reasonWay !== 'none' && (
        <label class="reason">
          <span>Reason for the model</span>
          <input
            type="text"
            value={reason}
            maxLength={4000}
            onInput={({ currentTarget }) => setReason(currentTarget.value)}
          />
        </label>
      )}
      <button
        class="is-bad"
        type="button"
        disabled={isSending}
        onClick={() => void answer(reason === '' ? { type: 'deny' } : { type: 'deny', reason })}
      >
        Deny
      </button>
      {remark !== undefined && <p class="remark">{remark}</p>}
      {isDenyOnly && <p class="remark">To allow it, answer the dialog at the desk.</p>}
    </div>
  );
}
