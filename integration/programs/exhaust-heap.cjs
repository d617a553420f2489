// Preloaded into the CLI (NODE_OPTIONS): exhausts the heap of the process as soon as the file in EXHAUST_HEAP exists.
const { existsSync } = require('node:fs');
const { getHeapStatistics } = require('node:v8');

const file = process.env['EXHAUST_HEAP'] ?? '';
const MOST_BYTES = 2 ** 30;
/** @type {number[][]} */
const kept = [];
const isSmall = getHeapStatistics().heap_size_limit < MOST_BYTES;

const timer = setInterval(() => {
  if (!isSmall || !existsSync(file)) return;
  for (;;) kept.push(new Array(100_000).fill(Math.random()));
}, 50);
timer.unref();
