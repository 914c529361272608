import { asRecord, isRecord, recordsOf, type JsonRecord } from '../../base/json';
import { plainLabel } from '../../base/text/text';
import type { Translate } from '../../base/translate';
import { toMcpJson, type ImportedServer } from './importedServer';
import { field, RegistryInputs } from './registryInputs';
import { runPackage } from './registryPackage';

/** Reads a `server.json` of the MCP registry, or the registry's answer about one; `undefined` if it is neither. */
export function readRegistryEntry(
  value: JsonRecord,
  t: Translate,
): readonly ImportedServer[] | { readonly problem: string } | undefined {
  const entry = isRecord(value['server']) ? value['server'] : value;
  const packages = recordsOf(entry['packages']);
  const remotes = recordsOf(entry['remotes']);
  const schema = entry['$schema'];
  const isEntry =
    packages.some((one) => field(one, 'registryType') !== undefined) ||
    remotes.some((one) => typeof one['url'] === 'string') ||
    (typeof schema === 'string' && schema.endsWith('/server.schema.json'));
  if (!isEntry) return undefined;
  const whole = textOf(entry['name']);
  const shown = plainLabel(whole, 60);
  const name = whole.split('/').at(-1) || 'server';
  if (packages.length + remotes.length === 0)
    return {
      problem: t('"{0}" lists no packages and no remotes, so there is nothing to start.', shown),
    };
  const found = [
    ...packages.map((one) => runPackage(name, one)),
    ...remotes.map((one) => reachRemote(name, one)),
  ].filter((one) => one !== undefined);
  if (found.length > 0) return found;
  const kinds = packages.map((one) => textOf(field(one, 'registryType'))).join(', ');
  return {
    problem: t('No package of "{0}" can be started here: {1}.', shown, plainLabel(kinds, 60)),
  };
}

function reachRemote(name: string, remote: JsonRecord): ImportedServer | undefined {
  const { url } = remote;
  if (typeof url !== 'string') return undefined;
  const inputs = new RegistryInputs(name);
  const type = remote['type'] ?? field(remote, 'transportType');
  const server = toMcpJson({
    type,
    url: inputs.fill(url, asRecord(remote['variables'])),
    headers: inputs.pairs(remote['headers']),
  });
  return server && inputs.withServer(server);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '?';
}
