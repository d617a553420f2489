import type { RemoteControl } from '../../api/remote-control.js';
import type { DeviceCalls } from './device-calls.js';
import * as bodies from './request-bodies.js';

/** Adds the routes with which devices watch and steer sessions. */
export function addSessionRoutes(calls: DeviceCalls, control: RemoteControl): void {
  calls.get('/api/sessions', () => ({
    sessions: control.list(),
    requests: control.requests(),
    rules: control.rules(),
  }));
  calls.get('/api/sessions/:id/entries', async ({ params, query }) => {
    const { id } = bodies.idParameter.parse(params);
    const { after, limit } = bodies.entriesQuery.parse(query);
    return { entries: await control.entries(id, after, limit) };
  });
  calls.post(
    '/api/sessions',
    'start',
    bodies.startBody,
    async ({ body, actor }) => ({ id: await control.start(body, actor) }),
    () => ({}),
  );
  calls.post('/api/sessions/:id/prompt', 'prompt', bodies.promptBody, ({ id, body, actor }) =>
    control.prompt(id, body, actor),
  );
  calls.post('/api/sessions/:id/withdraw', 'prompt', bodies.withdrawBody, ({ id, body, actor }) =>
    control.withdraw(id, body.promptId, actor),
  );
  calls.post('/api/sessions/:id/interrupt', 'prompt', bodies.emptyBody, ({ id, actor }) =>
    control.interrupt(id, actor),
  );
  calls.post('/api/sessions/:id/mode', 'prompt', bodies.modeBody, ({ id, body, actor }) =>
    control.setMode(id, body.mode, actor),
  );
  calls.post('/api/sessions/:id/model', 'prompt', bodies.modelBody, ({ id, body, actor }) =>
    control.setModel(id, body.model, actor),
  );
  calls.post('/api/sessions/:id/take-over', 'start', bodies.emptyBody, ({ id, actor }) =>
    control.takeOver(id, actor),
  );
  calls.post('/api/sessions/:id/hand-back', 'start', bodies.emptyBody, ({ id, actor }) =>
    control.handBack(id, actor),
  );
  calls.post('/api/sessions/:id/end', 'start', bodies.emptyBody, ({ id, actor }) =>
    control.end(id, actor),
  );
  calls.post(
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
  calls.post(
    '/api/rules/:id/revoke',
    'approve',
    bodies.emptyBody,
    ({ id, actor }) => control.revokeRule(id, actor),
    () => ({}),
  );
}
