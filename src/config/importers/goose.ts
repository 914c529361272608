import { asRecord } from '../../base/json';
import { readImportedServers } from '../add/importedServer';
import type { ImportSource } from './importSource';

/** goose: those of its extensions that are MCP servers. */
export const goose: ImportSource = {
  label: 'goose',
  files: ({ platform, home, settings }) => [
    platform === 'win32'
      ? `${settings}/Block/goose/config/config.yaml`
      : `${home}/.config/goose/config.yaml`,
  ],
  read: async (text) => {
    const { parse } = await import('yaml');
    return readImportedServers(asRecord(parse(text))['extensions']);
  },
};
