import { hostPostgres } from './postgres-host.js';

/** Program of the process that runs the embedded PostgreSQL for all processes of a user. */
process.title = 'gemini-cli-provider-postgres';
const [folder = '', mode] = process.argv.slice(2);
// The host ends when its last user has ended. Ctrl-C in the terminal of one user must not end the server of another.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
await hostPostgres(folder, mode === 'temporary');
process.exit();
