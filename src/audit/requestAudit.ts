import { truncate } from '../base/text/text';
import type { AuditLog } from './auditLog';
import type { Decider } from '../contracts/decision';
import type { AskingServer } from '../mcp/protocol/clientRequests';
import { keptName, keptValue, type Keeping } from './loggedValue';

/** The outcome of a question: who asked what, what was decided, and what was sent back. */
export interface AnsweredRequest {
  readonly server: AskingServer;
  readonly method: string;
  readonly question: unknown;
  readonly action: string;
  readonly decidedBy: Decider;
  readonly answer?: unknown;
}

/** Records what a server asked and what was answered. */
export type WriteAnswered = (request: AnsweredRequest) => Promise<void>;

/** Base64 that is longer than this is media, not text. */
const mediaLength = 256;
const maxDepth = 100;

/** Makes the function that records this window's questions; `keeping` says what is kept of them. */
export function createRequestAudit(log: AuditLog, keeping: Keeping): WriteAnswered {
  const kept = (value: unknown) =>
    keptValue(keeping.keep() === 'hashes' ? value : withoutMedia(value), keeping);
  return async ({ server, method, question, action, decidedBy, answer }) =>
    log.write({
      kind: 'requestAnswered',
      id: crypto.randomUUID(),
      time: new Date().toISOString(),
      session: log.session,
      server: { id: keptName(server.id), name: keptName(server.name) },
      method,
      question: await kept(question),
      action,
      decidedBy,
      ...(answer !== undefined && { answer: await kept(answer) }),
    });
}

/** Returns a value with the bytes of media shortened; what is nested deeper than any record is left as it is. */
function withoutMedia(value: unknown, depth = 0): unknown {
  if (depth > maxDepth) return value;
  if (Array.isArray(value)) return value.map((part) => withoutMedia(part, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      (name === 'data' || name === 'blob') && typeof part === 'string' && part.length > mediaLength
        ? truncate(part, 32)
        : withoutMedia(part, depth + 1),
    ]),
  );
}
