import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Logger } from '../../api/logger.js';
import type { RemoteDevice } from '../../api/remote-options.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import type { DeviceCalls } from './device-calls.js';
import { cleanDeviceName, isReservedName, numberName } from './device-names.js';
import { EventStream } from './event-stream.js';
import * as bodies from './request-bodies.js';
import type { RouteOptions } from './route-options.js';

const PAIRINGS_PER_MINUTE = 10;
const eventsQuery = bodies.eventsQuery.extend({ past: z.string().max(100).optional() });

/** Adds the routes about devices themselves: pairing, the event stream, push messages, where the person is. */
export function addDeviceRoutes(
  app: FastifyInstance,
  calls: DeviceCalls,
  options: RouteOptions,
  logger: Logger,
): void {
  const { control, devices, audit, push, presence, streams } = options;
  // Entries that were not on the disk when a server was killed are gone, and the next server gives their numbers to others.
  const run = randomUUID();
  const describeServer = (device: RemoteDevice) => ({
    device,
    roots: options.roots,
    isAway: presence.isAway(),
    notes: options.notes(),
    pushKey: push?.publicKey,
    pushNote: options.pushNote,
    isCalled: devices.pushTargets().some(({ id }) => id === device.id),
  });

  app.post(
    '/api/pair',
    { config: { rateLimit: { max: PAIRINGS_PER_MINUTE, timeWindow: 60_000 } } },
    async (request, reply) => {
      const { data } = bodies.pairBody.safeParse(request.body);
      const given = cleanDeviceName(data?.name ?? '');
      const isReserved = isReservedName(given);
      const taken = devices.list().map(({ name }) => name);
      const name = numberName(given, taken);
      const paired =
        data && !isReserved ? await devices.pair(data.code, name, options.rights) : undefined;
      await audit.add({
        action: 'pair',
        by: paired?.device.name ?? (isReserved ? 'unknown' : given),
        deviceId: paired?.device.id,
        outcome: paired ? 'done' : 'refused',
      });
      // The code stays valid: the person gives another name.
      if (data && isReserved)
        return reply.code(409).send({
          message: 'A device cannot have this name: it stands for something else in the logs',
        });
      if (!paired)
        return reply
          .code(403)
          .send({ message: 'The code is wrong, used or too old. Ask the desk for a new one.' });
      return paired;
    },
  );
  calls.get('/api/state', (_request, device) => describeServer(device));
  calls.get('/api/devices', () => ({ devices: devices.list() }));

  app.get('/api/events', async (request, reply) => {
    const device = calls.authenticate(request, reply, 'watch');
    if (device === undefined) return reply;
    const { data } = eventsQuery.safeParse(request.query);
    if (data === undefined) return reply.code(400).send({ message: 'The request is not valid' });
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value);
    const streamId = randomUUID();
    const stream = new EventStream(
      {
        control,
        response: reply.raw,
        sessionId: data.session,
        afterSeq: data.run === undefined || data.run === run ? (data.after ?? 0) : 0,
        pastVersion: data.past,
        greeting: { streamId, run, server: describeServer(device) },
        isPaired: () => devices.isPaired(device.id),
      },
      () => streams.remove(streamId),
    );
    streams.add(streamId, stream, device.id, data.session, data.looking === '1');
    await stream.start().catch((error: unknown) => {
      logger.error({ error: String(error) }, 'The event stream of a device has failed');
      stream.close();
    });
    return reply;
  });
  calls.post(
    '/api/looking',
    'watch',
    bodies.lookingBody,
    async ({ body, device }) => ({
      isOpen: streams.look(body.streamId, device.id, body.isLooking),
    }),
    () => false,
  );
  calls.post(
    '/api/presence',
    'approve',
    bodies.presenceBody,
    ({ body }) => presence.set(body.isAway),
    ({ body }) => ({ action: body.isAway ? 'presence away' : 'presence desk' }),
  );
  // A device may end its own pairing. Other pairings are ended at the desk.
  calls.post(
    '/api/unpair',
    'watch',
    bodies.emptyBody,
    async ({ device }) => {
      await devices.revoke(device.id);
      streams.closeDevice(device.id);
    },
    () => ({}),
  );
  calls.post(
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
