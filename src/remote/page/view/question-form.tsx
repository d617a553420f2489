import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RemoteDecision, RemoteQuestion, RemoteRequest } from '../../../api/remote-request.js';
import { revealControls } from '../../../web/reveal-controls.js';

interface QuestionFormProps {
  readonly request: RemoteRequest;
  readonly isSending: boolean;
  readonly answer: (decision: RemoteDecision) => Promise<void>;
}

/** Form for the questions of the agent. */
export function QuestionForm({ request, isSending, answer }: QuestionFormProps): JSX.Element {
  const [answers, setAnswers] = useState<Readonly<Record<string, string | readonly string[]>>>({});
  const set = (id: string, value: string | readonly string[]): void =>
    setAnswers({ ...answers, [id]: value });
  const isComplete = request.questions.every(({ id }) => (answers[id] ?? '').length > 0);
  return (
    <form
      class="questions"
      onSubmit={(event) => {
        event.preventDefault();
        void answer({ type: 'answer', answers });
      }}
    >
      {request.questions.map((question) => (
        <QuestionField
          key={question.id}
          question={question}
          value={answers[question.id]}
          onChange={(value) => set(question.id, value)}
        />
      ))}
      <button class="is-main" type="submit" disabled={isSending || !isComplete}>
        Answer
      </button>
    </form>
  );
}

interface FieldProps {
  readonly question: RemoteQuestion;
  readonly value: string | readonly string[] | undefined;
  readonly onChange: (value: string | readonly string[]) => void;
}

function QuestionField({ question, value, onChange }: FieldProps): JSX.Element {
  const { text, options, isMultiple, id } = question;
  if (options.length === 0) {
    return (
      <label class="reason">
        <span>{revealControls(text)}</span>
        <input
          type="text"
          value={typeof value === 'string' ? value : ''}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      </label>
    );
  }
  const chosen = typeof value === 'string' ? [value] : (value ?? []);
  const toggle = (option: string): void => {
    if (!isMultiple) onChange(option);
    else
      onChange(
        chosen.includes(option) ? chosen.filter((one) => one !== option) : [...chosen, option],
      );
  };
  return (
    <fieldset>
      <legend>{revealControls(text)}</legend>
      {options.map((option) => (
        <label key={option.id} class="option">
          <input
            type={isMultiple ? 'checkbox' : 'radio'}
            name={`question-${id}`}
            checked={chosen.includes(option.id)}
            onChange={() => toggle(option.id)}
          />
          {revealControls(option.label)}
        </label>
      ))}
    </fieldset>
  );
}
