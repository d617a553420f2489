import { readEnvironment } from '../config/environment.js';
import type { SessionPlace } from '../contract/session.js';
import { geminiHomeOf } from '../session/gemini-home.js';

export function geminiHomeAt({ geminiHome }: SessionPlace): string {
  return geminiHome ?? geminiHomeOf(readEnvironment());
}
