// Starts a store for the test that kills this process.
import { startRedisServer } from '../queue/redis-server.mjs';

const { url } = await startRedisServer();
process.stdout.write(`${url}\n`);
setInterval(() => {}, 1_000);
