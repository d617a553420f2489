import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify';
import type { z } from 'zod';
import type { RemoteActor } from '../../api/remote-control.js';
import type { RemoteDevice, RemoteRight } from '../../api/remote-options.js';
import { digestJson } from '../../base/json/digest-json.js';
import type { AuditEntry, AuditLog } from './audit-log.js';
import type { DeviceStore } from './device-store.js';
import { findRefusal } from './find-refusal.js';
import { RepeatedRequests, type RequestAnswer } from './repeated-requests.js';
import { requestKey } from './request-bodies.js';

/** A request of a paired device. */
export interface DeviceCall<Body> {
  readonly body: Body;
  /** The id in the path, or an empty text. */
  readonly id: string;
  readonly device: RemoteDevice;
  readonly actor: RemoteActor;
}

/** Facts about a call for the audit log. `false` keeps the call out of it. */
type Describe<Body> = (call: DeviceCall<Body>) => Partial<AuditEntry> | false;

/** Adds routes that need a paired device with a right. */
export class DeviceCalls {
  readonly #app: FastifyInstance;
  readonly #devices: DeviceStore;
  readonly #audit: AuditLog;
  readonly #repeated = new RepeatedRequests();

  constructor(app: FastifyInstance, devices: DeviceStore, audit: AuditLog) {
    this.#app = app;
    this.#devices = devices;
    this.#audit = audit;
  }

  /** Returns the device of a request. Answers the request and returns undefined if the device lacks the right. */
  authenticate(
    request: FastifyRequest,
    reply: FastifyReply,
    right: RemoteRight,
  ): RemoteDevice | undefined {
    const device = findDevice(request, this.#devices);
    if (device === undefined) void reply.code(401).send({ message: 'This device is not paired' });
    else if (!device.rights.includes(right))
      void reply
        .code(403)
        .send({ message: `This device may not do that: it lacks the right ${right}` });
    else return device;
    return undefined;
  }

  /** Adds a route that reads. */
  get(path: string, answer: (request: FastifyRequest, device: RemoteDevice) => unknown): void {
    this.#app.get(path, async (request, reply) => {
      const device = this.authenticate(request, reply, 'watch');
      if (device === undefined) return reply;
      try {
        return await answer(request, device);
      } catch (error) {
        const { status, body } = toRefusal(error);
        return reply.code(status).send(body);
      }
    });
  }

  /** Adds a route that changes something. A request that is repeated with the same key changes it once. */
  post<Body>(
    path: string,
    right: RemoteRight,
    schema: z.ZodType<Body>,
    act: (call: DeviceCall<Body>) => Promise<unknown>,
    describe: Describe<Body> = ({ id }) => ({ sessionId: id }),
  ): void {
    const action = path
      .split('/')
      .filter((part) => part !== '' && part !== 'api' && !part.startsWith(':'))
      .join(' ');
    // A stranger must not make the server read and parse bodies. The hook after this one is not called for a request that was refused.
    const preParsing: preParsingHookHandler = (request, reply, payload, next) => {
      if (this.authenticate(request, reply, right) !== undefined) next(null, payload);
    };
    this.#app.post<{ Params: { id?: string } }>(path, { preParsing }, async (request, reply) => {
      const device = this.authenticate(request, reply, right);
      if (device === undefined) return reply;
      const parsed = schema.safeParse(request.body);
      const key = requestKey.safeParse(request.headers['idempotency-key']);
      if (!(parsed.success && key.success))
        return reply.code(400).send({ message: 'The request is not valid' });
      const { name, rights } = device;
      const [mayApprove, mayPrompt] = [rights.includes('approve'), rights.includes('prompt')];
      const actor = { name, isDesk: false, mayApprove, mayPrompt };
      const call = { body: parsed.data, id: request.params.id ?? '', device, actor };
      // The key belongs to the whole request: the same key with other content is another request. A long prompt is kept as its hash.
      const whole = key.data && digestJson([device.id, key.data, request.url, parsed.data]);
      const { status, body } = await this.#repeated.run(whole, () =>
        this.#act(action, call, act, describe),
      );
      return reply.code(status).send(body);
    });
  }

  async #act<Body>(
    action: string,
    call: DeviceCall<Body>,
    act: (call: DeviceCall<Body>) => Promise<unknown>,
    describe: Describe<Body>,
  ): Promise<RequestAnswer> {
    const { id: deviceId, name: by } = call.device;
    const facts = describe(call);
    const note = async (outcome: AuditEntry['outcome']): Promise<void> => {
      if (facts !== false) await this.#audit.add({ action, by, deviceId, ...facts, outcome });
    };
    try {
      const answer = await act(call);
      await note('done');
      return { status: 200, body: typeof answer === 'object' && answer !== null ? answer : {} };
    } catch (error) {
      await note('refused');
      return toRefusal(error);
    }
  }
}

/** Returns the device whose token a request carries. */
export function findDevice(
  { headers }: Pick<FastifyRequest, 'headers'>,
  devices: DeviceStore,
): RemoteDevice | undefined {
  const token = /^Bearer ([\w-]+)$/.exec(headers.authorization ?? '')?.[1];
  return token === undefined ? undefined : devices.authenticate(token);
}

/** Returns the answer for an error that the person should read. Throws any other error again. */
function toRefusal(error: unknown): RequestAnswer {
  const refusal = findRefusal(error);
  if (refusal === undefined) throw error;
  return refusal;
}
