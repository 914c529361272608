import type { TimeUnit } from '../../mcp/launch/ownEntry';
import type { ConfigLayer } from '../configLayer';

/** The largest configuration file that is read, in bytes. */
export const maxConfigBytes = 5_000_000;

/** A file in a workspace folder that may hold servers. */
export interface FolderFile extends Pick<ConfigLayer, 'parent' | 'isOfEditor'> {
  /** Its path relative to the folder that it is looked for in. */
  readonly path: string;
  /** The key below which the application that owns the file looks for servers. */
  readonly serversKey: 'servers' | 'mcpServers';
  /** The unit of `timeout` where applications that read the file have such a key. */
  readonly timeUnit?: TimeUnit;
}

/** A place that the setting can list, read everywhere or, with `remote`, only in windows of that kind of remote. */
interface Place {
  readonly place: string;
  readonly remote?: string;
  readonly file: FolderFile;
}

/** All places, from the farthest to the closest. */
const all: readonly Place[] = [
  { place: 'github', file: { path: '.github/mcp.json', serversKey: 'mcpServers', timeUnit: 'ms' } },
  { place: 'mcpJson', file: { path: '.mcp.json', serversKey: 'mcpServers', timeUnit: 'ms' } },
  {
    place: 'devcontainer',
    // What a container is configured with runs only inside it.
    remote: 'dev-container',
    file: {
      path: '.devcontainer/devcontainer.json',
      parent: ['customizations', 'vscode', 'mcp'],
      serversKey: 'servers',
      isOfEditor: true,
    },
  },
  {
    place: 'vscode',
    file: { path: '.vscode/mcp.json', serversKey: 'servers', isOfEditor: true },
  },
];

/** Returns the files of those `places` that are read in a window of `remote`, which is undefined in a local window. */
export function folderFiles(
  places: readonly string[],
  remote: string | undefined,
): readonly FolderFile[] {
  return all
    .filter(({ place }) => places.includes(place))
    .filter((one) => one.remote === undefined || one.remote === remote)
    .map(({ file }) => file);
}
