import { asRecord } from '../base/json';
import { measureJson } from '../base/measureJson';
import { replayable } from '../audit/callAudit';
import type {
  FindRecentCall,
  RecentAnswer,
  RecentCall,
  ToolCall,
  ToolOutcome,
} from '../contracts/toolCalls';
import type { JsonObject } from '../mcp/protocol/types';

/** At most this many of the latest calls are kept, with their answers if these have at most this many bytes. */
export const maxKeptCalls = 50;
const maxKeptBytes = 200_000;

/** The latest calls that were sent, with their answers, for the user to turn into tests. */
export class RecentCalls {
  /** Of each outcome that somebody still has. */
  private readonly ofOutcomes = new WeakMap<object, RecentCall>();
  private readonly kept: { readonly id: string; readonly call: RecentCall }[] = [];

  /** Notes how a call ended, or will end in the background; `id` is that of its record in the log. */
  note(id: string, call: ToolCall, outcome: ToolOutcome): void {
    if (outcome.kind === 'background')
      void outcome.ended.then((ended) => this.note(id, call, ended));
    else this.keep(id, call, outcome);
  }

  /** Returns the call that the gate returned an outcome of, as it was sent; `undefined` for anything else. */
  of(outcome: unknown): RecentCall | undefined {
    return typeof outcome === 'object' && outcome ? this.ofOutcomes.get(outcome) : undefined;
  }

  /** Finds the call of an outcome or of a row of the log; without one, the latest call. */
  readonly find: FindRecentCall = (target) => {
    const ofOutcome = this.of(target);
    if (ofOutcome) return ofOutcome;
    const begun = replayable(target);
    if (!begun) return this.kept.at(-1)?.call;
    const value = 'value' in begun.arguments ? begun.arguments.value : {};
    return (
      this.kept.find(({ id }) => id === begun.id)?.call ?? {
        server: begun.server,
        tool: { name: begun.tool, inputSchema: {} },
        arguments: asRecord(value) as JsonObject,
      }
    );
  };

  private keep(id: string, call: ToolCall, outcome: ToolOutcome): void {
    if (call.origin.kind === 'savedCalls') return;
    const recent = recentCall(call, outcome);
    this.ofOutcomes.set(outcome, recent);
    this.kept.push({ id, call: recent });
    if (this.kept.length > maxKeptCalls) this.kept.shift();
  }
}

/** Returns a call with what came back, if that is small enough to be kept. */
export function recentCall(
  { server, tool, arguments: args, meta, asTask }: ToolCall,
  outcome: ToolOutcome,
): RecentCall {
  const answer = answerOf(outcome);
  const kept = { server: { id: server.id, name: server.name }, tool, arguments: args };
  return {
    ...kept,
    ...(meta && { meta }),
    ...(asTask !== undefined && { asTask }),
    ...(answer && { answer }),
  };
}

function answerOf(outcome: ToolOutcome): RecentAnswer | undefined {
  if (outcome.kind === 'failed' && outcome.code !== undefined)
    return { kind: 'error', code: outcome.code };
  if (outcome.kind !== 'result' || measureJson(outcome.result).bytes > maxKeptBytes)
    return undefined;
  return { kind: 'result', result: outcome.result };
}
