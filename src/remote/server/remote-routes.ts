import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { RemoteActor, RemoteControl } from '../../api/remote-control.js';
import type { RemoteDevice, RemoteRight } from '../../api/remote-options.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import type { AuditEntry, AuditLog } from './audit-log.js';
import type { DeviceStore } from './device-store.js';
import { EventStream } from './event-stream.js';
import type { PushSender } from './push-sender.js';
import * as bodies from './request-bodies.js';

export interface RouteOptions {
  readonly control: RemoteControl;
  readonly devices: DeviceStore;
  readonly audit: AuditLog;
  readonly rights: readonly RemoteRight[];
  /** Folders in which a session may be started, for the list of the page. */
  readonly roots: readonly string[];
  readonly push: PushSender | undefined;
  /** Why push messages are off. */
  readonly pushNote: string | undefined;
  readonly presence: { isAway(): boolean; set(isAway: boolean): Promise<void> };
  readonly notes: () => readonly string[];
  /** Sessions that devices have on their screens. */
  readonly watched: Map<object, string>;
}

/** A request of a paired device. */
interface Call<Body> {
  readonly body: Body;
  readonly id: string;
  readonly device: RemoteDevice;
  readonly actor: RemoteActor;
}

/** Adds the routes of the devices. Every route but the pairing needs a token and a right. */
export function addRemoteRoutes(app: FastifyInstance, options: RouteOptions): void {
  const { control, devices, audit, push, presence } = options;

  app.post(
    '/api/pair',
    { config: { rateLimit: { max: 10, timeWindow: 60_000 } } },
    async (request, reply) => {
      const { data } = bodies.pairBody.safeParse(request.body);
      const paired = data && (await devices.pair(data.code, data.name, options.rights));
      audit.add({
        action: 'pair',
        by: data?.name ?? 'unknown',
        deviceId: paired?.device.id,
        outcome: paired ? 'done' : 'refused',
      });
      if (!paired)
        return reply
          .code(403)
          .send({ message: 'The code is wrong, used or too old. Ask the desk for a new one.' });
      return paired;
    },
  );

  const authenticate = (
    request: FastifyRequest,
    reply: FastifyReply,
    right: RemoteRight,
  ): RemoteDevice | undefined => {
    const token = /^Bearer ([\w-]+)$/.exec(request.headers.authorization ?? '')?.[1];
    const device = token === undefined ? undefined : devices.authenticate(token);
    if (device === undefined) void reply.code(401).send({ message: 'This device is not paired' });
    else if (!device.rights.includes(right))
      void reply
        .code(403)
        .send({ message: `This device may not do that: it lacks the right ${right}` });
    else return device;
    return undefined;
  };

  const get = (
    path: string,
    answer: (request: FastifyRequest, device: RemoteDevice) => unknown,
  ): void => {
    app.get(path, async (request, reply) => {
      const device = authenticate(request, reply, 'watch');
      if (device === undefined) return reply;
      try {
        return await answer(request, device);
      } catch (error) {
        return refuse(reply, error);
      }
    });
  };

  /** Adds a route that changes something. */
  const post = <Body>(
    path: string,
    right: RemoteRight,
    schema: z.ZodType<Body>,
    act: (call: Call<Body>) => Promise<unknown>,
    describe: (call: Call<Body>) => Partial<AuditEntry> = ({ id }) => ({ sessionId: id }),
  ): void => {
    const action = path
      .split('/')
      .filter((part) => part !== '' && part !== 'api' && !part.startsWith(':'))
      .join(' ');
    app.post<{ Params: { id?: string } }>(path, async (request, reply) => {
      const device = authenticate(request, reply, right);
      if (device === undefined) return reply;
      const parsed = schema.safeParse(request.body);
      if (!parsed.success) return reply.code(400).send({ message: 'The request is not valid' });
      const actor = { name: device.name, isDesk: false };
      const call = { body: parsed.data, id: request.params.id ?? '', device, actor };
      const entry = { action, by: device.name, deviceId: device.id, ...describe(call) };
      try {
        const answer = await act(call);
        audit.add({ ...entry, outcome: 'done' });
        return answer ?? {};
      } catch (error) {
        audit.add({ ...entry, outcome: 'refused' });
        return refuse(reply, error);
      }
    });
  };

  get('/api/state', (_request, device) => ({
    device,
    roots: options.roots,
    isAway: presence.isAway(),
    notes: options.notes(),
    pushKey: push?.publicKey,
    pushNote: options.pushNote,
  }));
  get('/api/sessions', () => ({
    sessions: control.list(),
    requests: control.requests(),
    rules: control.rules(),
  }));
  get('/api/devices', () => ({ devices: devices.list() }));
  app.get<{ Params: { id: string } }>('/api/sessions/:id/entries', async (request, reply) => {
    if (authenticate(request, reply, 'watch') === undefined) return reply;
    const { data } = bodies.entriesQuery.safeParse(request.query);
    if (data === undefined) return reply.code(400).send({ message: 'The request is not valid' });
    try {
      return { entries: await control.entries(request.params.id, data.after, data.limit) };
    } catch (error) {
      return refuse(reply, error);
    }
  });
  app.get('/api/events', async (request, reply) => {
    const device = authenticate(request, reply, 'watch');
    if (device === undefined) return reply;
    const { data = {} } = bodies.eventsQuery.safeParse(request.query);
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value);
    const key = {};
    if (data.looking === '1' && data.session !== undefined) options.watched.set(key, data.session);
    const stream = new EventStream(
      {
        control,
        response: reply.raw,
        sessionId: data.session,
        afterSeq: data.after ?? 0,
        greeting: { isAway: presence.isAway(), notes: options.notes() },
      },
      () => options.watched.delete(key),
    );
    await stream.start().catch(() => stream.close());
    return reply;
  });

  post(
    '/api/sessions',
    'start',
    bodies.startBody,
    async ({ body, actor }) => ({ id: await control.start(body, actor) }),
    () => ({}),
  );
  post('/api/sessions/:id/prompt', 'prompt', bodies.promptBody, ({ id, body, actor }) =>
    control.prompt(id, body, actor),
  );
  post('/api/sessions/:id/withdraw', 'prompt', bodies.withdrawBody, ({ id, body, actor }) =>
    control.withdraw(id, body.promptId, actor),
  );
  post('/api/sessions/:id/interrupt', 'prompt', bodies.emptyBody, ({ id, actor }) =>
    control.interrupt(id, actor),
  );
  post('/api/sessions/:id/mode', 'prompt', bodies.modeBody, ({ id, body, actor }) =>
    control.setMode(id, body.mode, actor),
  );
  post('/api/sessions/:id/model', 'prompt', bodies.modelBody, ({ id, body, actor }) =>
    control.setModel(id, body.model, actor),
  );
  post('/api/sessions/:id/take-over', 'start', bodies.emptyBody, ({ id, actor }) =>
    control.takeOver(id, actor),
  );
  post('/api/sessions/:id/hand-back', 'start', bodies.emptyBody, ({ id, actor }) =>
    control.handBack(id, actor),
  );
  post('/api/sessions/:id/end', 'start', bodies.emptyBody, ({ id, actor }) =>
    control.end(id, actor),
  );
  post(
    '/api/requests/:id',
    'approve',
    bodies.decisionBody,
    ({ id, body, actor }) => control.decide(id, body, actor),
    ({ id, body }) => ({
      requestId: id,
      action: `decide ${body.type}`,
      inputHash: 'inputHash' in body ? body.inputHash : undefined,
    }),
  );
  post(
    '/api/rules/:id/revoke',
    'approve',
    bodies.emptyBody,
    ({ id, actor }) => control.revokeRule(id, actor),
    () => ({}),
  );
  post(
    '/api/presence',
    'approve',
    bodies.presenceBody,
    ({ body }) => presence.set(body.isAway),
    () => ({}),
  );
  // A device may end its own pairing. Other pairings are ended at the desk.
  post(
    '/api/unpair',
    'watch',
    bodies.emptyBody,
    ({ device }) => devices.revoke(device.id),
    () => ({}),
  );
  post(
    '/api/push',
    'watch',
    bodies.subscriptionBody.or(bodies.unsubscribeBody),
    async ({ body, device }) => {
      if (push === undefined)
        throw new ProviderError({
          code: 'INVALID_INPUT',
          message: options.pushNote ?? 'Push is off',
        });
      await devices.setPush(device.id, body.endpoint === null ? undefined : body);
    },
    () => ({}),
  );
}

function refuse(reply: FastifyReply, error: unknown): FastifyReply {
  if (!ProviderError.isInstance(error)) throw error;
  const status = error.code === 'INVALID_INPUT' ? 409 : 503;
  return reply.code(status).send({ code: error.code, message: error.message, hint: error.hint });
}
