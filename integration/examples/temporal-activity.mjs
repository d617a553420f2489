// An activity of Temporal: heartbeats with the session, cancellation, failures with their code. A retry resumes the session of the
// attempt before, so that the work of a lost worker is continued and not repeated.
import { CancelledFailure, Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { ProviderError } from 'gemini-cli-provider';

const HEARTBEAT_MS = 1_000;

/** @param {import('gemini-cli-provider').ResponseProvider} provider */
export function createGeminiActivities(provider) {
  return {
    /** @param {{ prompt: string, context?: object, options?: object }} step */
    async geminiStep({ prompt, context = {}, options = {} }) {
      const activity = Context.current();
      const earlier = activity.info.heartbeatDetails?.sessionId;
      const details = { sessionId: earlier, event: 'start' };
      const beat = setInterval(() => activity.heartbeat(details), HEARTBEAT_MS);
      try {
        const settings = { ...options, signal: activity.cancellationSignal };
        const resume = earlier === undefined ? {} : { resume: earlier };
        for await (const event of provider.stream(prompt, context, { ...settings, ...resume })) {
          if (event.type === 'session-init') {
            details.sessionId = event.sessionId;
            activity.heartbeat(details);
          }
          details.event = event.type;
          // Results over 2 MB do not fit into the history of a workflow: leave the diffs out.
          if (event.type === 'turn-complete' && event.result !== undefined) {
            const { text, files, usage, sessionId } = event.result;
            return { text, usage, sessionId, files: files.map(({ diff: _, ...file }) => file) };
          }
        }
        throw new Error('The step ended without a result');
      } catch (error) {
        throw toFailure(error);
      } finally {
        clearInterval(beat);
      }
    },
  };
}

/** @param {unknown} error */
function toFailure(error) {
  if (!ProviderError.isInstance(error)) return error;
  if (error.code === 'CANCELLED') return new CancelledFailure(error.message);
  return ApplicationFailure.create({
    type: error.code,
    message: `${error.message} ${error.hint}`,
    nonRetryable: !error.retryable,
    nextRetryDelay: error.retryAfterMs,
    details: [{ ...error.toJSON(), partial: undefined }],
    cause: error,
  });
}
