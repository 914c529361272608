import type { Tool } from '../../mcp/protocol/types';
import type { CallsFile } from '../format/calls';

/** Returns the names of the tools that no step of a file calls, in their original order. */
export function uncalledTools(
  { steps }: Pick<CallsFile, 'steps'>,
  tools: readonly Tool[],
): readonly string[] {
  const called = new Set(
    steps.flatMap(({ request }) => (request.kind === 'call' ? [request.name] : [])),
  );
  return tools.flatMap(({ name }) => (called.has(name) ? [] : [name]));
}
