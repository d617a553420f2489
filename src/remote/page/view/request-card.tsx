import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RemoteDecisionEntry } from '../../../api/remote-entry.js';
import type { RemoteDecision, RemoteRequest } from '../../../api/remote-request.js';
import { revealControls } from '../../../web/reveal-controls.js';
import { describeDecision } from '../model/describe-decision.js';
import { DiffView } from './diff-view.js';
import { QuestionForm } from './question-form.js';
import { useRemote } from './remote-context.js';

/** Shows a request, and the buttons that answer it. */
export function RequestCard({
  request,
  decision,
}: {
  readonly request: RemoteRequest;
  readonly decision: RemoteDecisionEntry | undefined;
}): JSX.Element {
  const { client, mayApprove } = useRemote();
  const [problem, setProblem] = useState<string | undefined>();
  const [isSending, setSending] = useState(false);
  const answer = async (given: RemoteDecision): Promise<void> => {
    setSending(true);
    setProblem(undefined);
    try {
      await client.post(`/api/requests/${request.id}`, given);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setSending(false);
    }
  };
  const { toolName, title, diff, command, text, input } = request;
  const path = typeof input['file_path'] === 'string' ? input['file_path'] : title;
  const isOpen = decision === undefined;
  return (
    <div
      role="group"
      class={`request${isOpen ? ' is-open' : ''}`}
      aria-label={isOpen ? 'Needs you' : 'Answered request'}
      id={`request-${request.id}`}
      tabIndex={-1}
    >
      <h3>
        {toolName !== '' && <span class="name">{revealControls(toolName)}</span>}{' '}
        {revealControls(title)}
      </h3>
      {command !== undefined && <pre class="text command">{revealControls(command)}</pre>}
      {diff !== undefined && <DiffView diff={diff} path={path} />}
      {text !== undefined && <pre class="text">{revealControls(text)}</pre>}
      {request.kind === 'tool' && <OtherArguments request={request} />}
      {isOpen && mayApprove && <Answers request={request} isSending={isSending} answer={answer} />}
      {isOpen && !mayApprove && (
        <p class="remark">This device may not answer: it lacks the right approve.</p>
      )}
      {!isOpen && <p class="remark">{revealControls(describeDecision(decision))}</p>}
      {problem !== undefined && (
        <p class="notice is-error" role="alert">
          {revealControls(problem)}
        </p>
      )}
    </div>
  );
}

/** Arguments of an edit that its diff shows, and of a command that stands there already. */
const IN_DIFF = new Set(['file_path', 'content', 'old_string', 'new_string', 'instruction']);
const IN_COMMAND = new Set(['command', 'description']);

/** Shows the arguments that nothing else of the card shows. */
function OtherArguments({
  request: { input, diff, command, text },
}: {
  readonly request: RemoteRequest;
}): JSX.Element | null {
  const others = Object.entries(input).filter(
    ([name]) =>
      !(diff !== undefined && IN_DIFF.has(name)) &&
      !(command !== undefined && IN_COMMAND.has(name)),
  );
  if (others.length > 0)
    return (
      <pre class="text" tabIndex={0} role="region" aria-label="Arguments">
        {revealControls(JSON.stringify(Object.fromEntries(others), undefined, 2))}
      </pre>
    );
  const isShown = diff !== undefined || command !== undefined || text !== undefined;
  return isShown ? null : <p class="remark">The agent does not tell the arguments of this call.</p>;
}

interface AnswerProps {
  readonly request: RemoteRequest;
  readonly isSending: boolean;
  readonly answer: (decision: RemoteDecision) => Promise<void>;
}

function Answers({ request, isSending, answer }: AnswerProps): JSX.Element {
  if (request.kind === 'question')
    return <QuestionForm request={request} isSending={isSending} answer={answer} />;
  if (request.kind === 'dialog' && request.isDenyOnly)
    return <p class="remark">This dialog can be answered at the desk alone.</p>;
  if (request.kind === 'dialog') {
    return (
      <div class="answers">
        {request.options.map(({ id, label }) => (
          <button
            key={id}
            type="button"
            disabled={isSending}
            onClick={() => void answer({ type: 'choose', option: id })}
          >
            {revealControls(label)}
          </button>
        ))}
      </div>
    );
  }
  return <ToolAnswers request={request} isSending={isSending} answer={answer} />;
}

/** What a person should know about the reason of a denial before it is sent. */
const REASON_REMARKS: Readonly<Record<RemoteRequest['reasonWay'], string | undefined>> = {
  refusal: undefined,
  'after-turn': 'The reason follows as a prompt when the turn is over.',
  'new-turn':
    'The dialog is open at the desk: Deny ends the turn, and the agent forgets it. With a reason, your request is sent again together with the reason.',
  none: 'The agent is not told a reason.',
};

function ToolAnswers({ request, isSending, answer }: AnswerProps): JSX.Element {
  const [reason, setReason] = useState('');
  const { inputHash, isDenyOnly, reasonWay } = request;
  const remark = REASON_REMARKS[reasonWay];
  return (
    <div class="answers">
      {!isDenyOnly && (
        <>
          <button
            class="is-main"
            type="button"
            disabled={isSending}
            onClick={() => void answer({ type: 'allow', inputHash })}
          >
            Allow
          </button>
          <button
            type="button"
            disabled={isSending}
            onClick={() => void answer({ type: 'allow-for-session', inputHash })}
          >
            Allow for this session
          </button>
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
