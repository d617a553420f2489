import { z } from 'zod';
import { ProviderError } from '../../base/errors/provider-error.js';

/** Version of the protocol between callers and workers. A new major version is not understood by older ones. */
export const PROTOCOL = { major: 1, minor: 1 } as const;
/** Minor version from which a caller takes the last events from the result. */
export const TAIL_MINOR = 1;

export const versionSchema = z.object({ major: z.int(), minor: z.int() });
/** Made once: zod compiles a program for each schema, which costs more than the rest of reading a small job. */
const versionedSchema = z.object({ protocol: versionSchema });

export type ProtocolVersion = Readonly<z.output<typeof versionSchema>>;

export function showProtocol({ major, minor }: ProtocolVersion): string {
  return `${major}.${minor}`;
}

/** True if this side understands a side with this version, as `1.0`. */
export function isSameMajor(shown: string): boolean {
  return shown.split('.', 1)[0] === String(PROTOCOL.major);
}

/** Throws INVALID_CONFIG if the other side speaks another major version. An older or newer minor one is understood. */
export function assertProtocol(other: ProtocolVersion, side: 'caller' | 'worker'): void {
  if (other.major === PROTOCOL.major) return;
  const here = side === 'caller' ? 'this worker' : 'this caller';
  throw new ProviderError({
    code: 'INVALID_CONFIG',
    message: `The ${side} speaks version ${showProtocol(other)} of the queue's protocol, ${here} version ${showProtocol(PROTOCOL)}`,
    hint: 'Install the same version of gemini-cli-provider on both sides of the queue.',
  });
}

/** Like `assertProtocol`, for content whose form is not known yet: a newer major version may have another one. */
export function assertProtocolOf(content: unknown, side: 'caller' | 'worker'): void {
  const { data } = versionedSchema.safeParse(content);
  if (data !== undefined) assertProtocol(data.protocol, side);
}
