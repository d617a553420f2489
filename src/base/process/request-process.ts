import { execa } from 'execa';
import { isObject } from '../json/is-object.js';
import { OWN_SESSION } from './own-session.js';
import { unlessAborted } from './timing.js';

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/**
 * A Node program of this package in a process of its own, which answers requests. For work that may hang in the kernel: a
 * thread that hangs keeps its process from exiting, a process can be left behind.
 */
export class RequestProcess {
  readonly #child: ReturnType<typeof startProgram>;
  readonly #waiting = new Map<number, Waiting>();
  #requests = 0;

  constructor(program: string) {
    this.#child = startProgram(program);
    this.#child.on('message', (message: unknown) => this.#accept(message));
    this.#child.once('exit', () => this.#fail());
    this.#child.once('error', () => this.#fail());
    this.#keepAlive();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Returns the answer to a request. Throws the reason of the signal, or the problem that the program reports. */
  async ask(request: object, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    const id = this.#requests++;
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      if (!this.#child.connected) reject(new Error('The process has ended'));
      else this.#child.send({ id, request });
    });
    this.#keepAlive();
    try {
      return await unlessAborted(answer, signal);
    } finally {
      this.#waiting.delete(id);
      this.#keepAlive();
    }
  }

  /** Kills the process and waits for nothing: a process that hangs in the kernel ends when the kernel lets it go. */
  end(): void {
    this.#child.kill('SIGKILL');
    if (this.#child.connected) this.#child.disconnect();
    this.#child.unref();
  }

  /** Closes the connection. The program ends by itself when its work is done. */
  leave(): void {
    if (this.#child.connected) this.#child.disconnect();
    this.#child.unref();
  }

  #accept(message: unknown): void {
    if (!isObject(message) || typeof message['id'] !== 'number') return;
    const waiting = this.#waiting.get(message['id']);
    const { problem } = message;
    if (typeof problem === 'string') waiting?.reject(new Error(problem));
    else waiting?.resolve(message['value']);
  }

  #fail(): void {
    for (const { reject } of this.#waiting.values()) reject(new Error('The process has ended'));
  }

  /** Lets a waiting request, and nothing else, keep the host process alive. */
  #keepAlive(): void {
    const { channel } = this.#child;
    if (this.#waiting.size > 0) {
      this.#child.ref();
      channel?.ref();
    } else {
      this.#child.unref();
      channel?.unref();
    }
  }
}

function startProgram(program: string) {
  return execa(process.execPath, [program], {
    ...OWN_SESSION,
    ipc: true,
    serialization: 'advanced',
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
    buffer: false,
    // The folders of the host may be the ones that hang.
    cwd: '/',
  });
}
