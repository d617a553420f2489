import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { RemoteDecisionEntry } from '../../../api/remote-entry.js';
import type { RemoteDecision, RemoteRequest } from '../../../api/remote-request.js';
import { revealControls } from '../../../web/reveal-controls.js';
import { isShownElsewhere } from '../../session/cut-call.js';
import { cutTitle } from '../../session/cut-title.js';
import { describeDecision } from '../model/describe-decision.js';
import { Age } from './age.js';
import { DiffView } from './diff-view.js';
import { QuestionForm } from './question-form.js';
import { useRemote } from './remote-context.js';
import { type AnswerProps, ToolAnswers } from './tool-answers.js';

/** Time in which a second tap may follow the first one. No other button must come under the finger meanwhile. */
export const SECOND_TAP_MS = 700;

/** Shows a request, and the buttons that answer it. */
export function RequestCard({
  request,
  decision,
}: {
  readonly request: RemoteRequest;
  readonly decision: RemoteDecisionEntry | undefined;
}): JSX.Element {
  const { client, mayApprove, sessions } = useRemote();
  const [problem, setProblem] = useState<string | undefined>();
  const [isSending, setSending] = useState(false);
  const [isFresh, setFresh] = useState(false);
  const card = useRef<HTMLDivElement>(null);
  const answer = async (given: RemoteDecision): Promise<void> => {
    const hadFocus = card.current?.contains(document.activeElement) === true;
    setSending(true);
    setFresh(true);
    setProblem(undefined);
    try {
      await client.post(`/api/requests/${request.id}`, given);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setSending(false);
      setTimeout(() => setFresh(false), SECOND_TAP_MS);
      // The button that was pressed has gone, or was disabled: the keyboard must not begin at the top of the page again.
      if (hadFocus && document.activeElement === document.body)
        card.current?.focus({ preventScroll: true });
    }
  };
  const { toolName, title, diff, command, text, input, createdAt } = request;
  const folder = sessions.find(({ id }) => id === request.sessionId)?.folder;
  const path = typeof input['file_path'] === 'string' ? input['file_path'] : title;
  const isOpen = decision === undefined;
  return (
    <div
      role="group"
      class={`request${isOpen ? ' is-open' : ''}`}
      aria-label={isOpen ? 'Needs you' : 'Answered request'}
      id={`request-${request.id}`}
      ref={card}
      tabIndex={-1}
    >
      <h3>
        {toolName !== '' && <span class="name">{revealControls(toolName)}</span>}{' '}
        {revealControls(cutTitle(title))}
      </h3>
      <Age at={createdAt} what="Asked" />
      {command !== undefined && (
        <pre class="text command" tabIndex={0} role="group" aria-label="Command">
          {revealControls(command)}
        </pre>
      )}
      {command !== undefined && folder !== undefined && (
        <p class="remark">
          Folder of the session: <span class="path">{revealControls(folder)}</span>
        </p>
      )}
      {diff !== undefined && <DiffView diff={diff} path={path} />}
      {text !== undefined && (
        <pre class="text" tabIndex={0} role="group" aria-label="Text of the request">
          {revealControls(text)}
        </pre>
      )}
      {request.kind === 'tool' && <OtherArguments request={request} />}
      {isOpen && mayApprove && <Answers request={request} isSending={isSending} answer={answer} />}
      {isOpen && !mayApprove && (
        <p class="remark">This device may not answer: it lacks the right approve.</p>
      )}
      {!isOpen && isFresh && (
        <div inert aria-hidden="true">
          <Answers request={request} isSending answer={answer} />
        </div>
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

/** Shows the arguments that nothing else of the card shows. */
function OtherArguments({
  request: { input, diff, command, text },
}: {
  readonly request: RemoteRequest;
}): JSX.Element | null {
  const others = Object.entries(input).filter(
    ([name]) => !isShownElsewhere(name, { diff, command }),
  );
  if (others.length > 0)
    return (
      <pre class="text" tabIndex={0} role="group" aria-label="Arguments">
        {revealControls(JSON.stringify(Object.fromEntries(others), undefined, 2))}
      </pre>
    );
  const isShown = diff !== undefined || command !== undefined || text !== undefined;
  return isShown ? null : <p class="remark">The agent does not tell the arguments of this call.</p>;
}

function Answers({ request, isSending, answer }: AnswerProps): JSX.Element {
  if (request.kind === 'question')
    return <QuestionForm request={request} isSending={isSending} answer={answer} />;
  if (request.kind === 'dialog' && request.isDenyOnly)
    return <p class="remark">This dialog can be answered at the desk alone.</p>;
  if (request.kind === 'dialog') {
    return (
      <div class="answers is-dialog">
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
