/** An operating system, as Node calls it. */
export type System = NodeJS.Platform;

/** The one that this process runs on: asked here and nowhere else, and handed to all that differs between them. */
export const thisSystem = (): System => process.platform;

/** True where there is a Node at all; this alone is called in pages, too. */
export const hasNode = (): boolean => typeof process === 'object' && !!process.versions?.node;

/** What this process runs on, as a command that runs files of JavaScript: the editor's own program needs to be told. */
export const ownRuntime = (
  versions: Readonly<Record<string, string | undefined>> = process.versions,
): { readonly command: string; readonly env: Readonly<Record<string, string>> } => ({
  command: process.execPath,
  env: versions['electron'] === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' },
});
