import { connect, createServer } from 'node:net';
import { pipeline } from 'node:stream';
import { AgentPool, type ProviderConfig, type Untyped } from 'gemini-cli-provider';
import { type ScriptedModel, startScriptedModel } from 'gemini-cli-provider/testing';
import { beforeAll } from 'vitest';

/** Processes that stay warm for the tests of a file, although each of these has a model of its own. */
export interface WarmCli {
  /** From now on they ask this model. Gives what a provider needs to use them. */
  lead(model: ScriptedModel): { readonly home: string; readonly config: Untyped<ProviderConfig> };
}

/** To be called once in a file, outside of its tests. These must not be concurrent. */
export function keepWarm(): WarmCli {
  const pool = new AgentPool();
  const place = { home: '', url: '' };
  let modelPort = 0;
  // A process keeps the address it was started with, so this one stays and leads on to the model of the test.
  const relay = createServer((socket) => {
    pipeline(socket, connect(modelPort, '127.0.0.1'), socket, () => {});
  });
  beforeAll(async () => {
    const owner = await startScriptedModel([{ text: 'never asked' }]);
    await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
    const address = relay.address();
    if (address === null || typeof address === 'string') throw new Error('the relay has no port');
    Object.assign(place, { home: owner.home, url: `http://127.0.0.1:${address.port}` });
    return async () => {
      await pool.dispose();
      relay.close();
      await owner.close();
    };
  });
  return {
    lead: (model) => {
      modelPort = Number(new URL(model.url).port);
      const env = {
        ...model.env,
        GEMINI_CLI_HOME: place.home,
        GOOGLE_GEMINI_BASE_URL: place.url,
      };
      return { home: place.home, config: { pool, env } };
    },
  };
}
