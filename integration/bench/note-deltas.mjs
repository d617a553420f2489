// Loaded into the CLI by NODE_OPTIONS: notes the time at which the CLI writes each delta to its output. The variable
// GEMINI_NOTED_DELTAS names the file for the notes.
import { appendFileSync } from 'node:fs';

const file = process.env['GEMINI_NOTED_DELTAS'];
if (file !== undefined)
  process.stdout.write = new Proxy(process.stdout.write, {
    apply: (write, stdout, args) => {
      const isTaken = Reflect.apply(write, stdout, args);
      const text = Buffer.from(args[0]).toString('utf8');
      for (const [delta] of text.matchAll(/delta\d+x/g))
        appendFileSync(file, `${delta} ${Date.now()}\n`);
      return isTaken;
    },
  });
