import { readImportedServers } from '../add/importedServer';
import type { ImportSource } from './importSource';

/** Codex: tables `mcp_servers.<name>` in TOML. */
export const codex: ImportSource = {
  label: 'Codex',
  files: ({ home }) => [`${home}/.codex/config.toml`],
  read: async (text) => {
    const { parse } = await import('smol-toml');
    return readImportedServers(parse(text)['mcp_servers']);
  },
};
