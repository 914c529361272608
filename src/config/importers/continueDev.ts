import { asRecord, toMcpJson } from '../foreignServer';
import type { ImportSource } from './importSource';

/** Continue: a list of named servers in YAML. */
export const continueDev: ImportSource = {
  label: 'Continue',
  files: ({ home }) => [`${home}/.continue/config.yaml`],
  async read(text) {
    const { parse } = await import('yaml');
    const { mcpServers } = asRecord(parse(text));
    return (Array.isArray(mcpServers) ? mcpServers : []).flatMap((value: unknown) => {
      const { name } = asRecord(value);
      const server = toMcpJson(value);
      return typeof name === 'string' && server ? [{ name, server }] : [];
    });
  },
};
