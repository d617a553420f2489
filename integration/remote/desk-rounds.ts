import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installHooks } from 'gemini-cli-provider/remote';
import type { ModelRequest, ScriptedTurn } from 'gemini-cli-provider/testing';
import { expect } from 'vitest';
import { seedRandom } from '../queue/random.js';
import { sendPrompt, sessionOf, setAway, startAtDesk } from './desk-lab.js';
import { isolateTmux, openRemoteLab, PHONE, until } from './remote-lab.js';

type Answer = 'allow' | 'allow-for-session' | 'deny' | 'interrupt';

interface Call {
  readonly file: string;
  readonly tool: { readonly name: string; readonly args: Readonly<Record<string, unknown>> };
  readonly answer: Answer;
}

/**
 * Sends prompts to the real CLI at the desk, each of which calls one or two tools, and answers each call at random: in the
 * dialog, or before it. Every file tells afterwards whether the answer was the one that was given.
 */
export async function runDeskRounds(rounds: number, seed: number): Promise<void> {
  const { below: random } = seedRandom(seed);
  const pick = <T>(list: readonly [T, ...T[]]): T => list[random(list.length)] ?? list[0];
  let calls: readonly Call[] = [];
  isolateTmux();
  const lab = await openRemoteLab([
    {
      turns: [
        (request: ModelRequest): ScriptedTurn =>
          request.prompt.startsWith('round')
            ? { toolCalls: calls.map(({ tool }) => tool) }
            : { text: 'Nothing to do.' },
        { text: 'The round is over.' },
      ],
    },
  ]);
  await installHooks({ state: lab.state, env: lab.model.env });
  const { control } = lab.remote;
  const { id } = await startAtDesk(lab);
  const decide = async (answer: Answer, requestId: string, inputHash: string): Promise<void> => {
    if (answer === 'interrupt') await control.interrupt(id, PHONE);
    else
      await control.decide(
        requestId,
        answer === 'deny' ? { type: 'deny', reason: 'not this one' } : { type: answer, inputHash },
        PHONE,
      );
  };
  for (let round = 0; round < rounds; round++) {
    const label = `seed ${seed}, round ${round}`;
    const isAway = random(3) > 0;
    await setAway(lab, isAway);
    calls = Array.from({ length: 1 + random(2) }, (_, index) => {
      const file = `r${round}-${index}.txt`;
      const isShell = random(2) === 0;
      const tool = isShell
        ? { name: 'run_shell_command', args: { command: `echo ${round} > ${file}` } }
        : { name: 'write_file', args: { file_path: file, content: `${round}\n` } };
      // A rule for edits would answer all later ones, so rules are tried with commands, for which none is made here.
      const answer = pick<Answer>(
        isShell
          ? ['allow', 'deny', 'allow-for-session', 'interrupt']
          : ['allow', 'deny', 'interrupt'],
      );
      return { file, tool, answer };
    });
    await sendPrompt(lab, id, `round ${round}`);
    const given = new Map<string, Answer>();
    const answered = new Set<string>();
    let isCut = false;
    await until(async () => {
      const request = control.requests().find((open) => !answered.has(open.id));
      if (request === undefined)
        return given.size === calls.length || isCut ? sessionOf(lab, id)?.state === 'ready' : false;
      const call = calls.find(({ file }) => JSON.stringify(request.input).includes(file));
      if (call === undefined) throw new Error(`${label}: unknown request ${request.title}`);
      answered.add(request.id);
      await new Promise((resolve) => setTimeout(resolve, random(300)));
      await decide(call.answer, request.id, request.inputHash).catch((error: unknown) => {
        // A call of the same turn may be withdrawn by an interrupt before its answer.
        if (!isCut) throw error;
      });
      given.set(call.file, call.answer);
      // A refusal in the dialog and an interrupt end the turn: later calls are cancelled without a question.
      if (call.answer === 'interrupt' || (call.answer === 'deny' && !isAway)) isCut = true;
      return false;
    });
    for (const { file } of calls) {
      const answer = given.get(file);
      const isWanted = answer === 'allow' || answer === 'allow-for-session';
      const isThere = existsSync(join(lab.root, file));
      // A file that was refused, or never asked for, must not be there. One that was allowed is there unless the turn was cut.
      if (!isWanted) expect([label, file, answer, isThere]).toEqual([label, file, answer, false]);
      else if (!isCut) expect([label, file, answer, isThere]).toEqual([label, file, answer, true]);
    }
  }
}
