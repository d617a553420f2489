import type { SessionLocation } from '../../api/session.js';
import { readEnvironment } from '../../base/process/environment.js';
import { geminiHomeOf } from '../files/gemini-home.js';

export function geminiHomeAt({ geminiHome }: SessionLocation): string {
  return geminiHome ?? geminiHomeOf(readEnvironment());
}
