import { refusal } from '../session/refusal.js';
import type { SessionDriver } from './session-driver.js';

const refused = async (): Promise<never> => {
  throw refusal('The session belongs to a batch or an engine: it takes no commands');
};

/** Driver of a session that an engine leads by itself. Devices answer its requests and do nothing else. */
export const ENGINE_DRIVER: SessionDriver = {
  name: 'engine',
  prompt: refused,
  interrupt: refused,
  setMode: refused,
  setModel: refused,
  end: async () => {},
  release: async () => {},
};
