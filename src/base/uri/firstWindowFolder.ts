/** A further window of a workspace that is open already has a folder with a number of its own. */
const laterWindow = /(\/workspaceStorage\/-?[\da-f]{1,40})-\d+(?=\/)/;

/** The folder of an extension for a workspace, as the first window of it has it: one for all its windows, also after a reload. */
export function firstWindowFolder(folder: string): string {
  return folder.replace(laterWindow, '$1');
}
