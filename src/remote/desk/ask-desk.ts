import { z } from 'zod';
import { hasErrno } from '../../base/errors/errno.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { readEnvironment } from '../../base/process/environment.js';
import { askSocket } from '../server/private-socket.js';
import { openRemoteFolder, stateFlag } from '../state/remote-folder.js';

const device = z.object({
  id: z.string(),
  name: z.string(),
  rights: z.array(z.string()),
  seenAt: z.string(),
  expiresAt: z.string(),
});
const session = z.object({
  id: z.string(),
  cliSessionId: z.string().optional(),
  state: z.string(),
  driver: z.string(),
  folder: z.string(),
  title: z.string().optional(),
  openRequests: z.number(),
});
const status = z.object({
  isAway: z.boolean(),
  address: z.string().optional(),
  notes: z.array(z.string()),
  devices: z.array(device),
  sessions: z.array(session),
});

const whereabouts = z.object({
  isAway: z.boolean(),
  /** Why sessions at the desk are not seen. */
  note: z.string().optional(),
});

/** Where the person is. */
export type Whereabouts = z.infer<typeof whereabouts>;
/** State of the running server, for the desk. */
export type DeskStatus = z.infer<typeof status>;

/** Sends commands of the desk to the running server. Each method throws INVALID_INPUT if no server is running, TIMEOUT if it hangs. */
export class DeskClient {
  readonly #state: string | undefined;

  /** @param state state folder of the server; undefined for the usual one */
  constructor(state: string | undefined) {
    this.#state = state;
  }

  async status(): Promise<DeskStatus> {
    return status.parse(await this.#ask('/desk/status'));
  }

  /** Returns an address that pairs one device. */
  async pair(): Promise<string> {
    return z.object({ url: z.string() }).parse(await this.#ask('/desk/pair')).url;
  }

  async setAway(isAway: boolean): Promise<Whereabouts> {
    return whereabouts.parse(await this.#ask(isAway ? '/desk/away' : '/desk/here'));
  }

  async revoke(id: string): Promise<void> {
    await this.#ask('/desk/revoke', { id });
  }

  async #ask(command: string, body: object = {}): Promise<unknown> {
    const { socket } = openRemoteFolder(readEnvironment(), this.#state);
    try {
      return await askSocket(socket, command, body);
    } catch (error) {
      // A server that is ending takes the connection and drops it.
      if (!hasErrno(error, 'ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE')) throw error;
      throw new ProviderError({
        code: 'INVALID_INPUT',
        message: 'No remote server is running',
        hint: `Start it with: gemini-cli-provider remote${stateFlag(this.#state)}`,
      });
    }
  }
}
