/**
 * The error of a window without the folders of its workspace. About one in forty has lost them when it reads the
 * workspace file for the first time, until it is reloaded.
 */
export const foldersLost = 'The window has lost the folders of its workspace.';

/** At most this many times, a window that has lost its folders is reloaded. */
export const maxReloads = 3;
