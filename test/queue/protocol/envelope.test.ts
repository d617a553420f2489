import { describe, expect, it } from 'vitest';
import {
  type Envelope,
  type JobWorkspace,
  packJob,
  peekJob,
  readCancelled,
  unpackJob,
} from '../../../src/queue/protocol/envelope.js';
import { sign } from '../../../src/queue/protocol/signature.js';
import { PROTOCOL } from '../../../src/queue/protocol/version.js';
import { CLOSED, errorOf, OPEN, OTHER_SECRET, SIGNED } from './support.js';

const ENVELOPE: Omit<Envelope, 'protocol'> = {
  jobId: 'gpu~1',
  createdAtMs: 1,
  expiresAtMs: 2,
  title: 'Write “hello”',
  prompt: { text: 'Write “hello”\n' },
  options: { model: 'm', expects: { files: ['a'] } },
  labels: ['gpu'],
  workspace: { kind: 'shared', dir: '/w', identity: { inode: '12345678901234567890', birthMs: 3 } },
  keepMs: 4,
};

/** Signs any content as a job, as a program that knows the secret can. */
function packAny(content: unknown) {
  return sign('job', 'gpu~1', JSON.stringify(content), SIGNED);
}

function readFailure(data: unknown, trust = SIGNED) {
  return errorOf(() => unpackJob('gpu~1', data, trust));
}

describe('unpackJob', () => {
  it.each([SIGNED, OPEN])('gives back what was packed (%#)', (trust) => {
    const data: unknown = JSON.parse(JSON.stringify(packJob(ENVELOPE, trust)));
    expect(unpackJob('gpu~1', data, trust)).toEqual({ ...ENVELOPE, protocol: PROTOCOL });
  });

  it('keeps a shipped workspace with its setup', () => {
    const workspace: JobWorkspace = {
      kind: 'ship',
      dir: '/w',
      shipped: { a: [1] },
      setup: ['npm', 'ci'],
    };
    const data = packJob({ ...ENVELOPE, workspace }, SIGNED);
    expect(unpackJob('gpu~1', data, SIGNED).workspace).toEqual(workspace);
  });

  it('ignores keys that a newer minor version adds', () => {
    const protocol = { ...PROTOCOL, minor: PROTOCOL.minor + 7 };
    const envelope = unpackJob('gpu~1', packAny({ ...ENVELOPE, protocol, later: 1 }), SIGNED);
    expect(envelope).toEqual({ ...ENVELOPE, protocol });
  });

  it('names the versions of a newer major version, whatever its form is', () => {
    const error = readFailure(packAny({ protocol: { major: 2, minor: 3 } }));
    expect(error.code).toBe('INVALID_CONFIG');
    expect(error.message).toContain('The caller speaks version 2.3');
  });

  it('refuses a job whose text was changed', () => {
    const { text, signature } = packJob(ENVELOPE, SIGNED);
    const error = readFailure({ text: text.replace('"m"', '"n"'), signature });
    expect(error.code).toBe('INVALID_CONFIG');
    expect(error.message).toContain('has a signature of another secret');
  });

  it('refuses a job of another secret, and one without a signature (claim: queue-signed)', () => {
    expect(readFailure(packJob(ENVELOPE, OTHER_SECRET)).message).toContain('of another secret');
    expect(readFailure(packJob(ENVELOPE, OPEN)).message).toContain('is not signed');
    expect(readFailure(packJob(ENVELOPE, OPEN), CLOSED).hint).toContain('allowUnsigned');
  });

  it('checks the signature before the content', () => {
    expect(readFailure({ text: '{' }).message).toContain('is not signed');
  });

  it('refuses the envelope of another job, signed and unsigned', () => {
    const other = { ...ENVELOPE, jobId: 'gpu~2' };
    expect(readFailure(packJob(other, SIGNED)).message).toContain('of another secret');
    expect(readFailure(packJob(other, OPEN), OPEN).message).toContain(
      'the envelope of another job',
    );
    expect(readFailure(packAny({ protocol: PROTOCOL, ...other })).message).toContain('another job');
  });

  it.each([undefined, null, 'text', {}, { text: 1 }, { text: '{}', signature: 1 }])(
    'says that %j is no job of this package',
    (data) => {
      const error = readFailure(data);
      expect(error.code).toBe('INVALID_CONFIG');
      expect(error.message).toBe('The job gpu~1 has no envelope: it is not from this package');
    },
  );

  it('says what an envelope lacks', () => {
    expect(readFailure(sign('job', 'gpu~1', '{', SIGNED)).message).toContain('is not JSON');
    const { workspace: _, ...rest } = ENVELOPE;
    expect(readFailure(packAny({ protocol: PROTOCOL, ...rest })).message).toContain(
      'lacks workspace',
    );
    const prompt = { sha256: '../../etc', bytes: 1 };
    expect(readFailure(packAny({ protocol: PROTOCOL, ...ENVELOPE, prompt })).message).toContain(
      'lacks prompt',
    );
    for (const keepMs of [-1, 0, 1e300])
      expect(readFailure(packAny({ protocol: PROTOCOL, ...ENVELOPE, keepMs })).message).toContain(
        'lacks keepMs',
      );
  });
});

describe('peekJob', () => {
  it('reads a job for a list without its secret', () => {
    expect(peekJob('gpu~1', packJob(ENVELOPE, SIGNED))?.title).toBe(ENVELOPE.title);
  });

  it.each([undefined, {}, { text: '{' }, { text: '{"protocol":{"major":2,"minor":0}}' }])(
    'is undefined for %j',
    (data) => {
      expect(peekJob('gpu~1', data)).toBe(undefined);
    },
  );
});

describe('readCancelled', () => {
  it('reads the reason', () => {
    const data = packJob(ENVELOPE, SIGNED);
    expect(readCancelled({ ...data, cancelled: { reason: 'by the user' } })).toBe('by the user');
    expect(readCancelled(data)).toBe(undefined);
    expect(readCancelled(undefined)).toBe(undefined);
  });

  it('leaves the signature right', () => {
    const data = { ...packJob(ENVELOPE, SIGNED), cancelled: { reason: 'x' } };
    expect(unpackJob('gpu~1', data, SIGNED).jobId).toBe('gpu~1');
  });
});

it('keys of prototypes in a job reach neither its options nor any other object', () => {
  const text = JSON.stringify({ protocol: PROTOCOL, ...ENVELOPE, options: {} }).replace(
    '"options":{}',
    '"options":{"__proto__":{"approvalMode":"yolo"},"model":"m"}',
  );
  const { options } = unpackJob('gpu~1', sign('job', 'gpu~1', text, SIGNED), SIGNED);
  expect(options['approvalMode']).toBe(undefined);
  expect(Object.getPrototypeOf(options)).toBe(Object.prototype);
  expect(options['model']).toBe('m');
});
