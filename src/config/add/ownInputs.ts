import { freeName } from '../freeName';
import {
  inputIds,
  inputReference,
  inputReferences,
  type ImportedServer,
  type McpJsonServer,
} from './importedServer';

/**
 * Returns the servers, with other ids for the inputs whose ids already have a stored value: that was given for another
 * server, and a link that names it would get it without a question.
 */
export function withOwnInputs(
  found: readonly ImportedServer[],
  stored: ReadonlySet<string>,
): readonly ImportedServer[] {
  const brought = found.flatMap(inputIds);
  const taken = new Set([...stored, ...brought]);
  const renamed = new Map<string, string>();
  for (const id of brought) {
    if (!stored.has(id) || renamed.has(id)) continue;
    const free = freeName(id, (one) => taken.has(one));
    taken.add(free);
    renamed.set(id, free);
  }
  const idOf = (id: string) => renamed.get(id) ?? id;
  return found.map((one) => {
    const { inputs } = one;
    if (!inputs?.some(({ id }) => renamed.has(id))) return one;
    return {
      ...one,
      server: renameInputs(one.server, idOf),
      inputs: inputs.map((input) => ({ ...input, id: idOf(input.id) })),
    };
  });
}

function renameInputs(server: McpJsonServer, idOf: (id: string) => string): McpJsonServer {
  return JSON.parse(JSON.stringify(server), (_, part: unknown) =>
    typeof part === 'string'
      ? part.replaceAll(inputReferences, (__, id: string) => inputReference(idOf(id)))
      : part,
  ) as McpJsonServer;
}
