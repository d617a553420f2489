import { readEnvironment } from '../../base/process/environment.js';
import type { SessionPlace } from '../../api/session.js';
import { geminiHomeOf } from '../../base/fs/gemini-home.js';

export function geminiHomeAt({ geminiHome }: SessionPlace): string {
  return geminiHome ?? geminiHomeOf(readEnvironment());
}
