import { measureJson } from '../base/measureJson';
import { redactSecrets } from '../base/secrets/secrets';
import type { AuditLog, CallBegun } from './auditLog';
import { fingerprint, toolIdentity } from '../mcp/fingerprint';
import { canonicalJson } from '../mcp/serverConfig';
import type { ToolOutcome } from '../contracts/toolCalls';
import type { Settled } from '../tools/gate/settle';

/** Writes calls down: before they are sent, and again when they ended. */
export interface CallAudit {
  /** Resolves when the decision is on disk; what it gives is called with the outcome. */
  begin(settled: Settled, proposed: unknown): Promise<(outcome: ToolOutcome) => Promise<void>>;
}

/** Makes the {@link CallAudit} of this window; `keep` says what is kept of arguments. */
export function createCallAudit(deps: {
  readonly log: AuditLog;
  readonly session: string;
  readonly keep: () => 'redacted' | 'hashes';
}): CallAudit {
  const { log, session, keep } = deps;
  return {
    async begin({ call, by, refused }, proposed) {
      const id = crypto.randomUUID();
      const started = Date.now();
      const { server, tool, origin } = call;
      const identity = await toolIdentity(server, tool);
      const reason = refused?.kind === 'failed' ? refused.message : deniedReason(refused);
      const begun: CallBegun = {
        kind: 'callBegun',
        id,
        time: new Date(started).toISOString(),
        session,
        origin: origin.kind,
        server: { id: server.id, name: server.name },
        tool: tool.name,
        launchPrint: identity.launchPrint,
        toolPrint: await fingerprint(identity),
        arguments:
          keep() === 'hashes'
            ? { print: await fingerprint(call.arguments) }
            : { value: redactSecrets(call.arguments) },
        argumentBytes: measureJson(call.arguments).bytes,
        edited: canonicalJson(call.arguments) !== canonicalJson(proposed),
        decision: refused ? 'denied' : 'allowed',
        by,
        ...(reason !== undefined && { reason }),
      };
      await log.write(begun);
      return async (outcome) => {
        await log.write({
          kind: 'callEnded',
          id,
          time: new Date().toISOString(),
          durationMs: Date.now() - started,
          ...ending(outcome),
        });
      };
    },
  };
}

function deniedReason(refused: ToolOutcome | undefined): string | undefined {
  return refused?.kind === 'denied' ? refused.reason : undefined;
}

function ending(outcome: ToolOutcome) {
  switch (outcome.kind) {
    case 'result':
      return {
        outcome: outcome.result.isError ? ('toolError' as const) : ('result' as const),
        resultBytes: measureJson(outcome.result).bytes,
        ...(outcome.problems.length > 0 && { message: outcome.problems.join(' ') }),
      };
    case 'failed':
    case 'denied':
      return {
        outcome: 'failed' as const,
        ...('message' in outcome && { message: outcome.message }),
      };
    case 'cancelled':
    case 'background':
      return { outcome: 'cancelled' as const };
  }
}
