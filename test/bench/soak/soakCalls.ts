import { rm } from 'node:fs/promises';
import type { AuditLog, AuditRecord } from '../../../src/audit/auditLog';
import { createCallAudit } from '../../../src/audit/callAudit';
import { Emitter } from '../../../src/base/event';
import { errorMessage } from '../../../src/base/errors';
import { PendingWork } from '../../../src/base/async';
import type { SentOutcome } from '../../../src/contracts/toolCalls';
import { openJsonLines } from '../../../src/mcp/node/nodeFiles';
import type { JsonObject } from '../../../src/mcp/protocol/types';
import type { Server } from '../../../src/mcp/server';

const maxLogBytes = 100_000_000;
const decision = {
  verdict: 'allowed',
  decidedBy: { kind: 'rule', setting: 'mcpWorkbench.tools.soak' },
} as const;

/** Makes the calls of a soak test, and logs each before it is sent and when it has ended, as the product does. */
export class SoakCalls {
  /** How many calls ended in each way. */
  readonly counts: Record<string, number> = {};
  private readonly path: string;
  private readonly outcomes = new Map<string, string>();
  private readonly pending = new PendingWork();
  private readonly lines: ReturnType<typeof openJsonLines>;
  private readonly audit: ReturnType<typeof createCallAudit>;

  /** @param path a file for this log alone, which {@link account} deletes. */
  constructor(path: string) {
    this.path = path;
    this.lines = openJsonLines(path, maxLogBytes);
    const log: AuditLog = {
      session: 'soak',
      write: (record) => this.lines.append(record),
      read: () => Promise.reject(new Error('Nobody reads it here.')),
      onDidWrite: new Emitter<AuditRecord>().event,
      watch: () => ({ dispose: () => undefined }),
      pending: this.pending,
    };
    this.audit = createCallAudit(log, { keep: () => 'redacted', mask: (text) => text });
  }

  /** Calls a tool; resolves to false if there was no good answer. */
  call(server: Server, tool: string, args: JsonObject, signal: AbortSignal): Promise<boolean> {
    return this.pending.track(this.run(server, tool, args, signal));
  }

  /** Compares the log with the calls once all have ended; returns a sentence for each mismatch. */
  async account(): Promise<readonly string[]> {
    await this.pending.settled();
    const { values, broken } = await this.lines.read();
    const records = values as readonly AuditRecord[];
    await rm(this.path, { force: true });
    const problems = broken > 0 ? [`${broken} lines of the log are broken.`] : [];
    const written = new Map<string, string[]>();
    for (const record of records)
      written.set(record.id, [
        ...(written.get(record.id) ?? []),
        record.kind === 'callEnded' ? record.outcome : record.kind,
      ]);
    for (const [id, outcome] of this.outcomes) {
      const found = written.get(id)?.join(', ');
      if (found !== `callBegun, ${outcome}`)
        problems.push(`The log has “${found}” of a call that ended with ${outcome}.`);
    }
    if (written.size !== this.outcomes.size)
      problems.push(`The log has ${written.size} calls of ${this.outcomes.size}.`);
    return problems;
  }

  private async run(
    server: Server,
    name: string,
    args: JsonObject,
    signal: AbortSignal,
  ): Promise<boolean> {
    const record = this.audit();
    const tool = { name, inputSchema: { type: 'object' as const } };
    const call = {
      server,
      tool,
      arguments: args,
      origin: { kind: 'user' as const, action: undefined },
    };
    await record.begun({ call, decision }, args);
    const outcome = await send(server, name, args, signal);
    const how = outcome.kind === 'result' && outcome.result.isError ? 'toolError' : outcome.kind;
    this.counts[how] = (this.counts[how] ?? 0) + 1;
    this.outcomes.set(record.id, how);
    await record.ended(outcome);
    return how === 'result';
  }
}

async function send(
  server: Server,
  name: string,
  args: JsonObject,
  signal: AbortSignal,
): Promise<SentOutcome> {
  try {
    const result = await server.callTool(name, args, { signal });
    return { kind: 'result', result, arguments: args, edited: false, problems: [] };
  } catch (error) {
    return signal.aborted
      ? { kind: 'cancelled' }
      : { kind: 'failed', message: (t) => errorMessage(error, t) };
  }
}
