import { parse } from 'smol-toml';
import { readForeignServers } from '../foreignServer';
import type { ImportSource } from './importSource';

/** Codex: tables `mcp_servers.<name>` in TOML. */
export const codex: ImportSource = {
  label: 'Codex',
  files: ({ home }) => [`${home}/.codex/config.toml`],
  read: (text) => readForeignServers(parse(text)['mcp_servers']),
};
