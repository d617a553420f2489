import { describe, expectTypeOf, it } from 'vitest';
import type {
  WireError,
  WireEvent,
  WireInit,
  WireMessage,
  WireResult,
  WireStats,
  WireToolResult,
  WireToolUse,
} from '../../src/agents/headless/headless-wire.js';
import type {
  StreamError,
  StreamInit,
  StreamMessage,
  StreamRecord,
  StreamResult,
  StreamStats,
  StreamToolResult,
  StreamToolUse,
} from '../../src/api/stream-record.js';

describe('the public types of the stream', () => {
  it('describe what the schemas of the wire accept', () => {
    expectTypeOf<WireEvent>().toExtend<StreamRecord>();
    expectTypeOf<WireInit>().toExtend<StreamInit>();
    expectTypeOf<WireMessage>().toExtend<StreamMessage>();
    expectTypeOf<WireToolUse>().toExtend<StreamToolUse>();
    expectTypeOf<WireToolResult>().toExtend<StreamToolResult>();
    expectTypeOf<WireError>().toExtend<StreamError>();
    expectTypeOf<WireResult>().toExtend<StreamResult>();
    expectTypeOf<WireStats>().toExtend<StreamStats>();
  });

  it('know every field of the schemas', () => {
    type Known<T> = keyof { [K in keyof T as string extends K ? never : K]: T[K] };
    expectTypeOf<Known<WireResult>>().toEqualTypeOf<Known<StreamResult>>();
    expectTypeOf<Known<WireToolResult>>().toEqualTypeOf<Known<StreamToolResult>>();
    expectTypeOf<Known<WireToolUse>>().toEqualTypeOf<Known<StreamToolUse>>();
  });
});
