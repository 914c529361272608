import { asRecord, recordsOf } from '../../../base/json';
import { comparedPath } from '../../../base/uri/fileAddress';
import { mcpJsonFile } from '../../add/mcpJsonText';
import {
  editorVariable,
  type Application,
  type ApplicationFile,
  type Disk,
  type Machine,
} from '../application';
import { readJson } from '../jsonFile';
import { launchTypes } from '../../../mcp/launch/launchKinds';

/** At most this many profiles of an editor are looked at, more than anyone has. */
export const maxProfiles = 100;

/** The editors whose own MCP client this is; the one that runs comes before them. */
const products = ['Code', 'Code - Insiders', 'VSCodium', 'Code - OSS'];

/** Returns the folders that editors keep the files of their user in, that of the running editor first. */
export function userFolders(
  { settings, editor }: Pick<Machine, 'settings' | 'editor'>,
  others: readonly string[] = [],
): readonly string[] {
  const all = [...products, ...others].map((product) => `${settings}/${product}/User`);
  const isRunning = (user: string) => editor && comparedPath(user) === comparedPath(editor.user);
  return [...(editor ? [editor.user] : []), ...all.filter((user) => !isRunning(user))];
}

/** The editor's own MCP client: the user's `mcp.json`, one for each profile. */
export const vscodeUser: Application = {
  label: 'VS Code',
  files: (machine) => userFolders(machine).map((user) => `${user}/mcp.json`),
  async find(machine, disk) {
    const found = userFolders(machine).map((user) => filesIn(user, machine.editor, disk));
    return (await Promise.all(found)).flat();
  },
  carries: {
    kinds: launchTypes,
    keys: ['cwd', 'envFile', 'oauth', 'sandboxEnabled', 'sandbox'],
    inputs: true,
    variable: editorVariable,
  },
  ...mcpJsonFile('servers'),
};

/** Finds the files of an editor: that of the profile which the open workspace has, where that is known, is the first. */
async function filesIn(
  user: string,
  editor: Machine['editor'],
  disk: Disk,
): Promise<readonly ApplicationFile[]> {
  const usual = { path: `${user}/mcp.json` };
  const folders = (await disk.folders(`${user}/profiles`)).slice(0, maxProfiles);
  if (folders.length === 0) return [usual];
  const { userDataProfiles, profileAssociations } = await readStorage(user, disk);
  const isOwn = editor?.user === user;
  const known = new Map(recordsOf(userDataProfiles).map((one) => [idOf(one['location']), one]));
  const { workspaces } = asRecord(profileAssociations);
  const current = isOwn ? idOf(asRecord(workspaces)[editor.workspace ?? '']) : undefined;
  const profiles = folders.map((id): ApplicationFile => {
    const { name, useDefaultFlags } = known.get(id) ?? {};
    const isShared = asRecord(useDefaultFlags)['mcp'] === true;
    return {
      path: `${user}/profiles/${id}/mcp.json`,
      note: typeof name === 'string' ? name : id,
      ...(isShared && { isUnread: true }),
      ...(isOwn && known.has(id) && { isOffered: true }),
    };
  });
  const first = profiles.find((one, index) => folders[index] === current && !one.isUnread);
  return [...(first ? [first] : []), usual, ...profiles.filter((one) => one !== first)];
}

/** Reads what an editor keeps about its profiles; nothing is known if it cannot be read. */
async function readStorage(user: string, disk: Disk) {
  try {
    return readJson((await disk.text(`${user}/globalStorage/storage.json`)) ?? '');
  } catch {
    return {};
  }
}

/** Returns the name of a profile's folder; older editors wrote a whole address. */
function idOf(location: unknown): string | undefined {
  const path = typeof location === 'string' ? location : asRecord(location)['path'];
  return typeof path === 'string' ? path.split(/[\\/]/).at(-1) : undefined;
}
