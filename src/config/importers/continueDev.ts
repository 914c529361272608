import { asRecord } from '../../base/json';
import { toMcpJson } from '../add/importedServer';
import type { ImportSource } from './importSource';

/** Continue: a list of named servers in YAML. */
export const continueDev: ImportSource = {
  label: 'Continue',
  files: ({ home }) => [`${home}/.continue/config.yaml`],
  async read(text) {
    const { parse } = await import('yaml');
    // Its secrets are kept in a file and a service of its own; a variable of that name is the nearest.
    const readable = text.replaceAll(/\$\{\{\s*secrets\.(\w+)\s*\}\}/g, '${env:$1}');
    const { mcpServers } = asRecord(parse(readable));
    return (Array.isArray(mcpServers) ? mcpServers : []).flatMap((value: unknown) => {
      const { name } = asRecord(value);
      const server = toMcpJson(value);
      return typeof name === 'string' && server ? [{ name, server }] : [];
    });
  },
};
