import { readJsonServers, type ImportSource } from './importSource';

/** Zed: context servers in its settings. */
export const zed: ImportSource = {
  label: 'Zed',
  files: ({ platform, home, settings }) => [
    // On macOS, too, it keeps to the folder of Linux.
    `${platform === 'darwin' ? `${home}/.config/zed` : `${settings}/${platform === 'win32' ? 'Zed' : 'zed'}`}/settings.json`,
  ],
  read: (text) => readJsonServers(text, 'context_servers'),
};
