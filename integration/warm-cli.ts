import { connect, createServer } from 'node:net';
import { pipeline } from 'node:stream';
import { AgentPool, type ProviderConfig } from 'gemini-cli-provider';
import { type ScriptedModel, startScriptedModel } from 'gemini-cli-provider/testing';
import { beforeAll } from 'vitest';

/** Warm processes that the tests of a file share, although each test has a model of its own. */
export interface WarmCli {
  /** Sends the requests of the processes to this model. Returns the home and the configuration for a provider. */
  connectTo(model: ScriptedModel): {
    readonly home: string;
    readonly config: ProviderConfig;
  };
}

/** Creates the warm processes of a file. Call this function once, outside of the tests, which must not be concurrent. */
export function keepWarm(): WarmCli {
  const pool = new AgentPool();
  const relayed = { home: '', url: '' };
  let modelPort = 0;
  // A process keeps the address of its start, so the relay has one address and forwards to the model of the test.
  const relay = createServer((socket) => {
    pipeline(socket, connect(modelPort, '127.0.0.1'), socket, () => {});
  });
  beforeAll(async () => {
    const owner = await startScriptedModel([{ text: 'never requested' }]);
    await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
    const address = relay.address();
    if (address === null || typeof address === 'string') throw new Error('The relay has no port');
    Object.assign(relayed, { home: owner.home, url: `http://127.0.0.1:${address.port}` });
    return async () => {
      await pool.dispose();
      relay.close();
      await owner.close();
    };
  });
  return {
    connectTo: (model) => {
      modelPort = Number(new URL(model.url).port);
      const env = {
        ...model.env,
        GEMINI_CLI_HOME: relayed.home,
        GOOGLE_GEMINI_BASE_URL: relayed.url,
      };
      return { home: relayed.home, config: { pool, env } };
    },
  };
}
