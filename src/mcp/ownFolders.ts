import { asRecord, type JsonRecord } from '../base/json';

/** The file in a folder that we made which says who it was made for. */
export const ownerNote = '.mcp-workbench-owner.json';

/**
 * The folders directly in one of ours that we made ourselves. Only these are ever removed with everything in them, and
 * only for the owner they were made for: a name alone, which anybody can write, removes nothing.
 */
export interface OwnFolders {
  /** Makes a folder for an owner, with a note of it inside. Rejects if there is something of this name. */
  make(name: string, owner: string): Promise<void>;
  /** Removes a folder that was made for this owner; resolves to false, with all left as it is, if it is no such folder. */
  remove(name: string, owner: string): Promise<boolean>;
}

const maxNoteBytes = 10_000;

/** What {@link createOwnFolders} needs of a folder on a disk; names are those of entries directly in it. */
export interface OwnDisk {
  /** What is there, without following a link. */
  kindOf(name: string): Promise<'folder' | 'other' | undefined>;
  makeFolder(name: string): Promise<void>;
  /** Rejects if there is no note, or it is no file of so many bytes at most. */
  readNote(name: string, maxBytes: number): Promise<string>;
  writeNote(name: string, text: string): Promise<void>;
  removeAll(name: string): Promise<void>;
}

/** The only way to remove a folder with its content. */
export function createOwnFolders(disk: OwnDisk): OwnFolders {
  return {
    async make(name, owner) {
      if (!isPlainName(name) || (await disk.kindOf(name)) !== undefined)
        throw new Error(`A folder cannot be made: ${name}`);
      await disk.makeFolder(name);
      await disk.writeNote(name, JSON.stringify({ name, owner }));
    },
    async remove(name, owner) {
      if (!isPlainName(name) || (await disk.kindOf(name)) !== 'folder') return false;
      const note = readNote(await disk.readNote(name, maxNoteBytes).catch(() => ''));
      // The name, too: some systems know one folder by several.
      if (note['name'] !== name || note['owner'] !== owner) return false;
      await disk.removeAll(name);
      return true;
    },
  };
}

function readNote(text: string): JsonRecord {
  try {
    return asRecord(JSON.parse(text));
  } catch {
    return {};
  }
}

/** True for one step of a path that means the same on every system; never `.` or `..`. */
function isPlainName(name: string): boolean {
  return /^[^\\/:\0]{0,250}[\p{L}\p{N})_-]$/u.test(name);
}
