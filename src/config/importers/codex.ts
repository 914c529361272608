import { readForeignServers } from '../add/foreignServer';
import type { ImportSource } from './importSource';

/** Codex: tables `mcp_servers.<name>` in TOML. */
export const codex: ImportSource = {
  label: 'Codex',
  files: ({ home }) => [`${home}/.codex/config.toml`],
  read: async (text) => {
    const { parse } = await import('smol-toml');
    return readForeignServers(parse(text)['mcp_servers']);
  },
};
