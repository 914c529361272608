import { fingerprint, toolIdentity } from '../../mcp/fingerprint';
import type { Tool } from '../../mcp/protocol/types';
import { readResourceTool, type ToolCall, type ToolOutcome } from '../../contracts/toolCalls';
import { withdrawnBy } from '../../ui/questions/outcome';
import type { Approvals } from './approvals';
import { decide, type Concern, type Facts } from './decide';
import { identityChanges } from './identityChanges';
import type { Ask } from './question';

/** A call that was decided on and by whom: `refused` is the outcome where nothing is to be sent. */
export interface Settled {
  readonly call: ToolCall;
  readonly by: string;
  readonly refused?: ToolOutcome;
}

/**
 * Decides on a call, by rule or by asking. What the person allowed is what is sent: a definition that
 * changes while the question stands is asked again, and so are edited arguments that do not fit.
 */
export async function settle(
  proposed: ToolCall,
  deps: {
    readonly weigh: (call: ToolCall) => Promise<Facts>;
    readonly approvals: Approvals;
    readonly ask: Ask;
  },
  signal: AbortSignal,
): Promise<Settled> {
  const { weigh, approvals, ask } = deps;
  let call = proposed;
  let meanwhile: readonly Concern[] = [];
  for (;;) {
    const identity = await toolIdentity(call.server, call.tool);
    const facts = await weigh(call);
    if (call === proposed && call.origin.kind !== 'person' && facts.argumentProblems.length > 0)
      return { call, by: 'schema', refused: unfit(facts.argumentProblems) };
    const verdict = decide(facts);
    if (verdict.kind === 'deny')
      return { call, by: verdict.rule, refused: { kind: 'denied', by: 'rule' } };
    if (verdict.kind === 'allow' && meanwhile.length === 0) return { call, by: verdict.rule };

    const concerns = [...meanwhile, ...(verdict.kind === 'ask' ? verdict.concerns : [])];
    const asked = await ask({ call, proposed: proposed.arguments, concerns }, signal);
    const outcome = signal.aborted ? withdrawnBy(signal) : asked;
    if (outcome.kind === 'withdrawn')
      return { call, by: `nobody: ${outcome.reason}`, refused: { kind: 'cancelled' } };
    const { answer } = outcome;
    if (answer.kind === 'deny') {
      const reason = answer.reason ? { reason: answer.reason } : {};
      return { call, by: 'person', refused: { kind: 'denied', by: 'person', ...reason } };
    }
    call = { ...call, tool: definedNow(call), arguments: answer.arguments };
    const now = await toolIdentity(call.server, call.tool);
    meanwhile =
      (await fingerprint(now)) === (await fingerprint(identity))
        ? []
        : [{ kind: 'changed', changes: identityChanges(identity, now) }];
    const problems = (await weigh(call)).argumentProblems;
    const unknownProblems =
      problems.join() !== facts.argumentProblems.join() && problems.length > 0;
    if (meanwhile.length > 0 || unknownProblems) continue;
    if (answer.remember) await approvals.remember(call, answer.remember);
    const { duration, extent } = answer.remember ?? {};
    return { call, by: duration ? `person: ${duration}, ${extent}` : 'person: once' };
  }
}

function definedNow({ server, tool }: ToolCall): Tool {
  if (tool === readResourceTool) return tool;
  return server.tools.items.find(({ name }) => name === tool.name) ?? tool;
}

function unfit(problems: readonly string[]): ToolOutcome {
  return {
    kind: 'failed',
    message: `The arguments do not fit the tool's input schema, and nothing was sent. ${problems.join('. ')}.`,
  };
}
