import { asRecord } from '../base/json';
import { measureJson } from '../base/measureJson';
import { replayable } from '../audit/replayable';
import type { FindKeptCall, KeptCall } from '../contracts/keptCalls';
import type { ToolCall, ToolOutcome } from '../contracts/toolCalls';
import { canonicalJson } from '../mcp/serverConfig';
import type { JsonObject } from '../mcp/protocol/types';

/** So many calls are kept with what came back, the latest, each of so many bytes at most. */
export const maxKeptCalls = 50;
const maxKeptBytes = 200_000;

/** The latest calls and what came back, for the user to make tests of. */
export class KeptCalls {
  private readonly kept: KeptCall[] = [];

  /** Notes what a call came to, in the background perhaps. */
  note(call: ToolCall, outcome: ToolOutcome): void {
    if (outcome.kind === 'background') void outcome.ended.then((ended) => this.keep(call, ended));
    else this.keep(call, outcome);
  }

  /** Finds by a row of the log; without one the latest call of the user. */
  readonly find: FindKeptCall = (target) => {
    const begun = replayable(target);
    if (!begun) return this.kept.at(-1);
    const value = 'value' in begun.arguments ? begun.arguments.value : {};
    const wanted = canonicalJson(value);
    const known = this.kept.findLast(
      ({ server, tool, arguments: args }) =>
        server.id === begun.server.id && tool.name === begun.tool && canonicalJson(args) === wanted,
    );
    return (
      known ?? {
        server: begun.server,
        tool: { name: begun.tool, inputSchema: {} },
        arguments: asRecord(value) as JsonObject,
      }
    );
  };

  private keep({ server, tool, origin }: ToolCall, outcome: ToolOutcome): void {
    if (outcome.kind !== 'result' || origin.kind === 'savedCalls') return;
    if (measureJson(outcome.result).bytes > maxKeptBytes) return;
    const { result, arguments: args } = outcome;
    this.kept.push({ server: { id: server.id, name: server.name }, tool, arguments: args, result });
    if (this.kept.length > maxKeptCalls) this.kept.shift();
  }
}
