import { redactSecrets } from '../base/secrets/secrets';
import { truncate } from '../base/text/text';
import type { AuditLog } from './auditLog';
import type { AskingServer } from '../mcp/protocol/clientRequests';
import { fingerprint } from '../mcp/fingerprint';

/** What became of a question: who was asked what, what was decided, and what went back. */
export interface AnsweredRequest {
  readonly server: AskingServer;
  readonly method: string;
  readonly question: unknown;
  readonly action: string;
  readonly answer?: unknown;
}

/** Writes down what servers asked and what was answered. */
export type WriteAnswered = (request: AnsweredRequest) => Promise<void>;

/** Base64 of this length is media, not text. */
const mediaLength = 256;

/** Makes the log of this window's questions; `keep` says what is kept of them. */
export function createRequestAudit(deps: {
  readonly log: AuditLog;
  readonly session: string;
  readonly keep: () => 'redacted' | 'hashes';
}): WriteAnswered {
  const { log, session, keep } = deps;
  const kept = async (value: unknown) =>
    keep() === 'hashes'
      ? { print: await fingerprint(value) }
      : { value: redactSecrets(withoutMedia(value)) };
  return async ({ server, method, question, action, answer }) =>
    log.write({
      kind: 'requestAnswered',
      id: crypto.randomUUID(),
      time: new Date().toISOString(),
      session,
      server: { id: server.id, name: server.name },
      method,
      question: await kept(question),
      action,
      ...(answer !== undefined && { answer: await kept(answer) }),
    });
}

/** The value with the bytes of media shortened. */
function withoutMedia(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMedia);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      (name === 'data' || name === 'blob') && typeof part === 'string' && part.length > mediaLength
        ? truncate(part, 32)
        : withoutMedia(part),
    ]),
  );
}
