import { asRecord, recordsOf, type JsonRecord } from '../../../base/json';
import type { AdmittedServer } from '../../add/admission';
import { toMcpJson } from '../../add/importedServer';
import { withType, type Application } from '../application';
import { fileRecord, unusableServer } from '../serverTable';
import { changeYaml } from '../jsonFile';
import { launchTypes } from '../../../mcp/launch/launchKinds';

/** Continue: a list of named servers in YAML. */
export const continueDev: Application = {
  label: 'Continue',
  files: ({ home }) => [`${home}/.continue/config.yaml`],
  carries: {
    kinds: launchTypes,
    keys: ['cwd'],
    times: { start: ['connectionTimeout', 'ms'] },
    variable: (name) => `\${{ secrets.${name} }}`,
  },
  async read(text, tell) {
    const { parse } = await import('yaml');
    // Continue has a file and a service of its own for secrets; an environment variable of the same name comes closest.
    const readable = text.replaceAll(/\$\{\{\s*secrets\.(\w+)\s*\}\}/g, '${env:$1}');
    const { mcpServers } = fileRecord(parse(readable));
    if (!Array.isArray(mcpServers ?? []))
      tell?.((t) => t('"{0}" must be a list of servers.', 'mcpServers'));
    return recordsOf(mcpServers).flatMap((value) => {
      const { name } = value;
      const server = toMcpJson(value, 'ms');
      if (typeof name !== 'string') return [];
      if (!server) tell?.(unusableServer(name));
      return server ? [{ name, server }] : [];
    });
  },
  write: (text, { servers }) =>
    changeYaml(text, (document) => {
      const before: unknown = document.toJS();
      const known = asRecord(before)['mcpServers'];
      const names = Array.isArray(known) ? known.map((one) => asRecord(one)['name']) : [];
      for (const server of servers) {
        const at = names.indexOf(server.name);
        const index = at < 0 ? names.push(server.name) - 1 : at;
        document.setIn(['mcpServers', index], document.createNode(toEntry(server)));
      }
    }),
  remove: (text, name) =>
    changeYaml(text, (document) => {
      const before: unknown = document.toJS();
      const at = recordsOf(asRecord(before)['mcpServers']).findIndex((one) => one['name'] === name);
      if (at >= 0) document.deleteIn(['mcpServers', at]);
    }),
};

function toEntry({ name, server }: AdmittedServer): JsonRecord {
  const { headers, ...entry } = withType(server, { http: 'streamable-http' });
  return {
    name,
    ...entry,
    ...(headers !== undefined && { requestOptions: { headers } }),
  };
}
