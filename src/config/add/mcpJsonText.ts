import { asRecord } from '../../base/json';
import type { TimeUnit } from '../../mcp/launch/ownEntry';
import type { ServerFile } from '../applications/application';
import { readJson, setInJson } from '../applications/jsonFile';
import { readServerTable } from '../applications/serverTable';
import type { AdmittedServers } from './admission';
import { withInputs, type InputEntry } from './importedServer';

/**
 * Adds servers, under `key`, and inputs to the text of an `mcp.json`; comments stay, servers of the same name are
 * replaced.
 */
export function addToMcpJson(
  text: string,
  { servers, inputs }: AdmittedServers,
  key: 'servers' | 'mcpServers' = 'servers',
): string {
  const added = newOnes(inputs, readJson(text)['inputs']);
  const withServers = servers.reduce(
    (written, { name, server }) => setInJson(written, [key, name], server),
    text,
  );
  return added.reduce((written, input) => setInJson(written, ['inputs', -1], input), withServers);
}

/** Returns the inputs that are not defined yet; the existing ones stay, as another server may use them. */
export function newOnes(inputs: readonly InputEntry[], known: unknown): readonly InputEntry[] {
  const ids = new Set((Array.isArray(known) ? known : []).map((one) => asRecord(one)['id']));
  return inputs.filter(({ id }) => !ids.has(id));
}

/** Describes a file that has servers under a key, and the inputs that they use; `unit` is that of its `timeout`. */
export function mcpJsonFile(key: 'servers' | 'mcpServers', unit?: TimeUnit): ServerFile {
  return {
    read(text, tell) {
      const { [key]: servers, inputs } = readJson(text);
      return withInputs(readServerTable(key, servers, tell, unit), inputs);
    },
    write: (text, admitted) => addToMcpJson(text, admitted, key),
    remove: (text, name) => setInJson(text, [key, name], undefined),
  };
}
