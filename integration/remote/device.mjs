/**
 * What a device needs to know about a server, which may run in another process.
 * @typedef {{ readonly port: number }} ReachedRemote
 */

/**
 * Pairs a device and returns a function that sends its requests.
 * @param {ReachedRemote} remote
 * @param {string} pairingUrl
 * @param {string} [name]
 */
export async function pairDevice(remote, pairingUrl, name = 'phone') {
  const code = new URL(pairingUrl).hash.slice('#pair='.length);
  const { body } = await send(remote, 'POST', '/api/pair', { code, name });
  const token = `${body['token']}`;
  /**
   * @param {string} method
   * @param {string} path
   * @param {object} [content]
   * @param {Record<string, string>} [headers]
   */
  const call = (method, path, content, headers) =>
    send(remote, method, path, content, token, headers);
  return Object.assign(call, { token });
}

/**
 * @param {ReachedRemote} remote
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @param {string} [token]
 * @param {Record<string, string>} [others] further headers
 * @returns {Promise<{ status: number, body: Record<string, unknown> }>}
 */
export async function send(remote, method, path, body, token, others = {}) {
  // The public address of a server leads to a tunnel, which is not there.
  const response = await fetch(`http://127.0.0.1:${remote.port}${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...others,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  /** @type {unknown} */
  const answer = await response.json();
  const isRecord = typeof answer === 'object' && answer !== null && !Array.isArray(answer);
  return { status: response.status, body: isRecord ? { ...answer } : {} };
}

/**
 * Opens the event stream of a device, until the signal is aborted.
 * @param {ReachedRemote} remote
 * @param {string} token
 * @param {string} query
 * @param {AbortSignal} signal
 */
export async function openStream(remote, token, query, signal) {
  const response = await fetch(`http://127.0.0.1:${remote.port}/api/events${query}`, {
    headers: { authorization: `Bearer ${token}` },
    signal,
  });
  /** @type {Record<string, unknown>[]} */
  const messages = [];
  let isOpen = true;
  const read = async () => {
    let rest = '';
    for await (const chunk of response.body ?? []) {
      const blocks = (rest + Buffer.from(chunk).toString('utf8')).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks)
        if (block.startsWith('data: ')) messages.push(JSON.parse(block.slice('data: '.length)));
    }
  };
  void read()
    .catch(() => {})
    .finally(() => {
      isOpen = false;
    });
  return { status: response.status, messages, isOpen: () => isOpen };
}
