import type { RemoteDecision, RemoteQuestion } from '../../api/remote-request.js';
import { sleep } from '../../base/process/timing.js';
import { refusal } from '../session/refusal.js';
import type { PaneKey, TmuxPane } from '../tmux/tmux-pane.js';

const STEP_MS = 250;
type Answers = Extract<RemoteDecision, { type: 'answer' }>['answers'];

/**
 * Answers the questions of the agent in its dialog: a digit chooses an option, a text is pasted. Several questions stand on
 * tabs, and the last tab sends them all.
 */
export async function answerQuestions(
  pane: TmuxPane,
  questions: readonly RemoteQuestion[],
  answers: Answers,
): Promise<void> {
  for (const question of questions) {
    const answer = answers[question.id];
    const { screen } = await pane.look();
    if (screen.dialog === undefined && question.options.length > 0)
      throw refusal('The questions are no longer on the screen');
    if (question.options.length === 0 || isFreeText(question, answer))
      await writeAnswer(pane, question, answer);
    else await chooseAnswers(pane, question, answer);
    await sleep(STEP_MS);
    // A single choice goes on by itself; several choices and texts of several questions need Tab.
    if (questions.length > 1 && question.isMultiple) await pane.press('Tab');
    await sleep(STEP_MS);
  }
  if (questions.length > 1 || questions[0]?.isMultiple === true) await pane.press('Enter');
}

function isFreeText({ options }: RemoteQuestion, answer: Answers[string] | undefined): boolean {
  return typeof answer === 'string' && !options.some(({ id }) => id === answer);
}

async function chooseAnswers(
  pane: TmuxPane,
  question: RemoteQuestion,
  answer: Answers[string] | undefined,
): Promise<void> {
  const chosen = Array.isArray(answer) ? answer : [String(answer)];
  for (const id of chosen) {
    if (!question.options.some((option) => option.id === id))
      throw refusal('The question does not offer this answer');
    await pane.press(id as PaneKey);
    await sleep(STEP_MS);
  }
}

async function writeAnswer(
  pane: TmuxPane,
  question: RemoteQuestion,
  answer: Answers[string] | undefined,
): Promise<void> {
  const text = Array.isArray(answer) ? answer.join(', ') : String(answer ?? '');
  // The last option of a choice is the field for an own value.
  if (question.options.length > 0) {
    await pane.press(`${question.options.length + 1}`);
    await sleep(STEP_MS);
  }
  await pane.paste(text);
  await sleep(STEP_MS);
  await pane.press('Enter');
}
