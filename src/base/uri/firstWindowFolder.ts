/** The folder of another window of an already open workspace, which gets its own number. */
const laterWindow = /(\/workspaceStorage\/-?[\da-f]{1,40})-\d+(?=\/)/;

/** Returns the folder that an extension has in the first window of a workspace: one for all windows, even after a reload. */
export function firstWindowFolder(folder: string): string {
  return folder.replace(laterWindow, '$1');
}
