import { parentPort } from 'node:worker_threads';
import { answerCheck } from './answer-check.js';

/** Program of the thread that checks the output of steps. The host ends the thread if a check takes too long. */
parentPort?.on('message', (request) => parentPort?.postMessage(answerCheck(request)));
