import type { RemoteDecision, RemoteQuestion } from '../../api/remote-request.js';
import { untilView } from '../drivers/tmux/pane-actions.js';
import { awaitDialog, shows } from '../drivers/tmux/pane-dialogs.js';
import { pressEnterUntilTaken } from '../drivers/tmux/press-enter.js';
import { type KeyPlan, pressVerified } from '../drivers/tmux/press-verified.js';
import { refusal } from '../session/refusal.js';
import type { ScreenDialog, ScreenOption } from '../tmux/parse-dialog.js';
import type { PaneKey, PaneView, TmuxPane } from '../tmux/tmux-pane.js';
import { squeeze } from '../tmux/tmux-text.js';

type Answers = Extract<RemoteDecision, { type: 'answer' }>['answers'];

const MISSING = 'The question is no longer on the screen';
const SIGN_CHARACTERS = 40;
const CHANGE_MS = 3_000;
/** The CLI offers an own value, all options together, and the end of the selection in addition to the options. */
const MORE_ROWS = 4;

/** Returns a piece of text by which the dialog of a question is recognised. */
export function questionSign({ text }: RemoteQuestion) {
  return { text: text.slice(0, SIGN_CHARACTERS), titles: 'any' as const };
}

/**
 * Answers the questions of the agent in its dialog. Each key is pressed on a screen that shows the question and the row that is
 * meant. Several questions stand on tabs, and the last tab sends them all. Throws INVALID_INPUT.
 */
export async function answerQuestions(
  pane: TmuxPane,
  questions: readonly RemoteQuestion[],
  answers: Answers,
): Promise<void> {
  await pane.exclusive(async () => {
    for (const question of questions) {
      const sign = questionSign(question);
      if ((await awaitDialog(pane, [sign], AbortSignal.timeout(CHANGE_MS))) === undefined)
        throw refusal(MISSING);
      await answerOne(
        new QuestionKeys(pane, question),
        question,
        answers[question.id],
        questions.length > 1,
      );
    }
    if (questions.length > 1)
      await pressVerified(
        pane,
        (view) => planEnter(view, /^Review your answers/),
        MISSING,
        CHANGE_MS,
      );
  });
}

async function answerOne(
  keys: QuestionKeys,
  question: RemoteQuestion,
  answer: Answers[string] | undefined,
  hasTabs: boolean,
): Promise<void> {
  const given = Array.isArray(answer) ? answer : [String(answer ?? '')];
  const chosen = question.options.filter(({ id }) => given.includes(id));
  if (chosen.length === given.length && (question.isMultiple || chosen.length === 1)) {
    for (const { id, label } of chosen) await keys.choose(Number(id), label, question.isMultiple);
    if (!question.isMultiple) return;
    if (hasTabs) await keys.press((view) => planKey(view, 'Tab', []));
    else await keys.finish();
    return;
  }
  if (question.isMultiple || Array.isArray(answer))
    throw refusal('The question does not offer this answer');
  if (question.options.length > 0)
    await keys.choose(question.options.length + 1, 'Enter a custom value', false, true);
  await keys.write(given[0] ?? '');
}

/** Keys for the dialog of one question. */
class QuestionKeys {
  readonly #pane: TmuxPane;
  readonly #question: RemoteQuestion;

  constructor(pane: TmuxPane, question: RemoteQuestion) {
    this.#pane = pane;
    this.#question = question;
  }

  /** Presses a key while the dialog shows the question. */
  async press(plan: (view: PaneView) => KeyPlan | undefined): Promise<void> {
    const sign = questionSign(this.#question);
    await pressVerified(
      this.#pane,
      (view) => (shows(view, sign) ? plan(view) : undefined),
      MISSING,
    );
  }

  /** Chooses an option by its digit, and waits until the screen shows the choice. */
  async choose(number: number, label: string, isMultiple: boolean, isField = false): Promise<void> {
    const isWanted = (option: ScreenOption): boolean =>
      option.digit === String(number) && isSameLabel(option.label, label);
    await this.#bringIntoView(isWanted);
    await this.press(({ screen, state }) => {
      const option = screen.dialog?.options.find(isWanted);
      if (option === undefined) return undefined;
      return planKey({ screen, state }, option.digit as PaneKey, [option.row]);
    });
    const isDone = ({ screen }: PaneView): boolean => {
      const option = screen.dialog?.options.find(isWanted);
      if (isMultiple) return option?.isChecked === true;
      // A field keeps its place, and any other choice leads on.
      return isField ? option?.isSelected === true : !this.#isShown(screen.dialog);
    };
    if (!(await untilView(this.#pane, isDone, CHANGE_MS)))
      throw refusal(`The option ${label} could not be chosen`, 'Answer the question at the desk.');
  }

  /** Ends the selection of several options. */
  async finish(): Promise<void> {
    await this.#moveUntil((dialog) => dialog.selected === 'Done');
    await this.press((view) => planEnter(view, /^●\s*Done$/));
  }

  /** Pastes a text into the field of the dialog and submits it. */
  async write(text: string): Promise<void> {
    await this.#pane.paste(text);
    const wanted = squeeze(text);
    const isWritten = ({ screen }: PaneView): boolean =>
      squeeze(screen.dialog?.text ?? '').includes(wanted);
    if (!(await untilView(this.#pane, isWritten, CHANGE_MS)))
      throw refusal('The dialog does not show the answer', 'Answer the question at the desk.');
    const isShown = ({ screen }: PaneView): boolean => this.#isShown(screen.dialog);
    await pressEnterUntilTaken(this.#pane, {
      field: ({ screen }) => screen.dialog?.body,
      holds: (view) => isShown(view) && isWritten(view),
      isTaken: (view) => !isShown(view),
      guard: (view) => planEnter(view, /^(●|>)/)?.guard ?? { rows: [] },
      missing: 'The dialog does not show the answer',
    });
  }

  #isShown(dialog: ScreenDialog | undefined): boolean {
    return (
      dialog !== undefined &&
      squeeze(dialog.text).includes(squeeze(questionSign(this.#question).text))
    );
  }

  /** A long list shows a part of its rows: the mark is moved until the option is among them. */
  #bringIntoView(isWanted: (option: ScreenOption) => boolean): Promise<void> {
    return this.#moveUntil(({ options }) => options.some(isWanted));
  }

  async #moveUntil(isThere: (dialog: ScreenDialog) => boolean): Promise<void> {
    const most = this.#question.options.length + MORE_ROWS;
    for (let moves = 0; moves <= most; moves++) {
      const { dialog } = (await this.#pane.look()).screen;
      if (dialog !== undefined && isThere(dialog)) return;
      const before = dialog?.selected;
      await this.press((view) => planKey(view, 'Down', []));
      await untilView(this.#pane, ({ screen }) => screen.dialog?.selected !== before, CHANGE_MS);
    }
    throw refusal('The question does not offer this answer');
  }
}

/** Enter chooses the marked row, so the mark must be where it is expected. */
function planEnter(view: PaneView, row: RegExp): KeyPlan | undefined {
  const found = view.screen.dialog?.rows.find((text) => row.test(text));
  return found === undefined ? undefined : planKey(view, 'Enter', [found]);
}

function planKey(
  { state }: Pick<PaneView, 'screen' | 'state'>,
  key: PaneKey,
  rows: readonly string[],
): KeyPlan {
  return { key, guard: { states: state === undefined ? undefined : [state], rows } };
}

/** A narrow terminal cuts labels with an ellipsis. */
function isSameLabel(shown: string, label: string): boolean {
  const cut = shown.indexOf('…');
  return cut < 0 ? squeeze(shown) === squeeze(label) : label.startsWith(shown.slice(0, cut).trim());
}
