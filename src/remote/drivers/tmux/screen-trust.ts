import type { RemoteCapabilities } from '../../../api/remote-session.js';
import { LED_CAPABILITIES } from '../../session/led-capabilities.js';
import { NO_CAPABILITIES } from '../../session/no-capabilities.js';
import type { PaneView } from '../../tmux/tmux-pane.js';

/** Time without an input box, a dialog and a status line after which the screen counts as unknown. */
const UNKNOWN_MS = 20_000;
/** The same before the title has told that the CLI runs: its start may be slow. */
const START_MS = 60_000;

/** What a device can do with a session in tmux whose screen is known. */
export const CONTROL: RemoteCapabilities = { ...LED_CAPABILITIES, takeOver: true };
export const DENY_ONLY: RemoteCapabilities = { ...NO_CAPABILITIES, deny: true };
export const UNKNOWN_SCREEN =
  'The screen of this version of the CLI is not known: calls can be denied here, everything else is done at the desk.';
const NOT_TESTED =
  'The screens of this version of the CLI were not tested. If a screen is not recognised, calls can only be denied here.';

/** Decides whether the rules for screens hold for the CLI in a pane. Without them, no key is pressed. */
export class ScreenTrust {
  readonly #testedVersion: string;
  #unknownSinceMs: number | undefined;
  #isDistrusted = false;
  #version: string | undefined;

  /** @param testedVersion version of the CLI whose screens the rules describe */
  constructor(testedVersion: string) {
    this.#testedVersion = testedVersion;
  }

  get isKnown(): boolean {
    return !this.#isDistrusted;
  }

  get capabilities(): RemoteCapabilities {
    return this.isKnown ? CONTROL : DENY_ONLY;
  }

  get notes(): readonly string[] {
    if (!this.isKnown) return [UNKNOWN_SCREEN];
    const isTested = this.#version === undefined || isSameMinor(this.#version, this.#testedVersion);
    return isTested ? [] : [NOT_TESTED];
  }

  /** Takes a view of the pane. Returns true if the judgement has changed. */
  take({ screen, state, isDead }: PaneView, nowMs: number): boolean {
    const isSeen =
      screen.input !== undefined || screen.dialog !== undefined || screen.status !== undefined;
    if (isSeen || isDead) this.#unknownSinceMs = undefined;
    else this.#unknownSinceMs ??= nowMs;
    const limitMs = state === undefined ? START_MS : UNKNOWN_MS;
    const isUnknown = this.#unknownSinceMs !== undefined && nowMs - this.#unknownSinceMs >= limitMs;
    // An input box proves that the rules hold; another sign may be a coincidence.
    const isProven = screen.input !== undefined;
    return this.#judge(isUnknown || (this.#isDistrusted && !isProven));
  }

  /** A dialog was announced, the title says that it is there, and no rule finds it. Returns true if the judgement has changed. */
  missDialog(): boolean {
    return this.#judge(true);
  }

  /** Takes the version that the CLI shows at its start. Returns true if the notes have changed. */
  takeVersion(version: string): boolean {
    const before = this.notes.length;
    this.#version = version;
    return this.notes.length !== before;
  }

  #judge(isDistrusted: boolean): boolean {
    const isChanged = this.#isDistrusted !== isDistrusted;
    this.#isDistrusted = isDistrusted;
    return isChanged;
  }
}

function isSameMinor(version: string, tested: string): boolean {
  const [major, minor] = version.split('.');
  const [testedMajor, testedMinor] = tested.split('.');
  return major === testedMajor && minor === testedMinor;
}

/** Finds the version in the text of the start screen. */
export function findScreenVersion(text: string): string | undefined {
  return /\bGemini CLI v(\d+\.\d+\.[\w.-]+)/.exec(text)?.[1];
}
