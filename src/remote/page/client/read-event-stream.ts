/**
 * Reads an event stream. `EventSource` cannot send a token in a header, so the stream is read with fetch. Calls `onData` for each
 * piece that arrives, signs of life included, and `onMessage` for each message. Resolves at the end of the stream.
 */
export async function readEventStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onData: () => void,
  onMessage: (data: string) => void,
): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  // A message of megabytes comes in many pieces: they are joined once, when its end is there.
  let pieces: string[] = [];
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    onData();
    pieces.push(value);
    const last = `${pieces.at(-2)?.at(-1) ?? ''}${value}`;
    if (!last.includes('\n\n')) continue;
    const blocks = pieces.join('').split('\n\n');
    pieces = [blocks.pop() ?? ''];
    for (const block of blocks) {
      const data = block
        .split('\n')
        .filter((line) => line.startsWith('data: '))
        .map((line) => line.slice('data: '.length));
      if (data.length > 0) onMessage(data.join('\n'));
    }
  }
}
