import { noVariable, withoutType, type Application } from '../application';
import { jsonFile } from '../jsonFile';

/** Zed: context servers in its settings. */
export const zed: Application = {
  ...jsonFile(
    'context_servers',
    (server) => {
      const { disabled, ...entry } = withoutType(server);
      return { source: 'custom', ...(disabled === true && { enabled: false }), ...entry };
    },
    's',
  ),
  label: 'Zed',
  files: ({ platform, home, settings }) => [
    // On macOS, Zed uses the same folder as on Linux.
    `${platform === 'darwin' ? `${home}/.config/zed` : `${settings}/${platform === 'win32' ? 'Zed' : 'zed'}`}/settings.json`,
  ],
  carries: {
    kinds: ['stdio', 'http'],
    keys: ['disabled'],
    times: { call: ['timeout', 's'] },
    variable: noVariable,
  },
};
