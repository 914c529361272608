import type { Reading } from '../reading';

/** A file of a workspace folder that servers may be written in. */
export interface FolderFile extends Pick<Reading, 'parent'> {
  /** Its path from where it is looked for. */
  readonly path: string;
  /** The key that the application whose file this is looks for. */
  readonly serversKey: 'servers' | 'mcpServers';
}

/** A place of the setting, and where that is read: everywhere, or in a window of one kind of remote alone. */
interface Place {
  readonly place: string;
  readonly remote?: string;
  readonly file: FolderFile;
}

/** From the further to the closer. */
const all: readonly Place[] = [
  { place: 'github', file: { path: '.github/mcp.json', serversKey: 'mcpServers' } },
  { place: 'mcpJson', file: { path: '.mcp.json', serversKey: 'mcpServers' } },
  {
    place: 'devcontainer',
    // What a container is made with runs in it and nowhere else.
    remote: 'dev-container',
    file: {
      path: '.devcontainer/devcontainer.json',
      parent: ['customizations', 'vscode', 'mcp'],
      serversKey: 'servers',
    },
  },
  { place: 'vscode', file: { path: '.vscode/mcp.json', serversKey: 'servers' } },
];

/** Those of `places` that are read in a window of `remote`, which is undefined on this machine. */
export function folderFiles(
  places: readonly string[],
  remote: string | undefined,
): readonly FolderFile[] {
  return all
    .filter(({ place }) => places.includes(place))
    .filter((one) => one.remote === undefined || one.remote === remote)
    .map(({ file }) => file);
}
