import { asRecord } from '../../base/json';
import { readJson, setInJson } from '../applications/jsonFile';
import type { ImportedServer, InputEntry } from './importedServer';

/** The text of an `mcp.json` with servers and inputs in it; comments stay, names that are taken are replaced. */
export function addToMcpJson(
  text: string,
  servers: readonly ImportedServer[],
  inputs: readonly InputEntry[],
): string {
  const added = newOnes(inputs, readJson(text)['inputs']);
  const withServers = servers.reduce(
    (written, { name, server }) => setInJson(written, ['servers', name], server),
    text,
  );
  return added.reduce((written, input) => setInJson(written, ['inputs', -1], input), withServers);
}

/** Those that the place does not define yet: another server there may use its own. */
export function newOnes(inputs: readonly InputEntry[], known: unknown): readonly InputEntry[] {
  const ids = new Set((Array.isArray(known) ? known : []).map((one) => asRecord(one)['id']));
  return inputs.filter(({ id }) => !ids.has(id));
}
