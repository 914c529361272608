import type { TextRange } from '../base/text/textRange';

/** How close to the work a place of configuration is: a later one wins over an earlier one. */
export const scopes = ['user', 'workspace', 'folder'] as const;

/** One of {@link scopes}. */
export type Scope = (typeof scopes)[number];

/** A server as it stands in a place of configuration: its value is not checked yet. */
export interface ServerEntry {
  readonly name: string;
  readonly value: unknown;
  /** The server's name in the file, where the place is a file. */
  readonly range?: TextRange;
}

/** Something that cannot be used, in a whole sentence, with its place where that is known. */
export interface ReadingProblem {
  readonly message: string;
  readonly range?: TextRange;
  /** What mends it, where the product can do that: the server moves to the settings. */
  readonly fix?: 'moveToSettings';
}

/** A workspace folder; `uri` as the editor writes it. */
export interface Folder {
  readonly uri: string;
  readonly name: string;
}

/** What one place of configuration says. */
export interface Reading {
  readonly scope: Scope;
  /** The place in words, such as `User Settings` or `web/.vscode/mcp.json`. */
  readonly label: string;
  /** The file, where the place is one. */
  readonly uri?: string;
  /** The path of the object that has the servers, where it is not the whole file. */
  readonly parent?: readonly string[];
  /** The folder that the place belongs to, for the scope `folder`. */
  readonly folder?: Folder;
  /** The address of the workspace that the place belongs to, for the scope `workspace`. */
  readonly workspace?: string;
  readonly entries: readonly ServerEntry[];
  /** The `inputs` of the place, not checked yet. */
  readonly inputs: unknown;
  readonly problems: readonly ReadingProblem[];
  /** It comes with the extension, and the user has asked for it. */
  readonly isIncluded?: true;
  /** What can be used and is likely not meant so. */
  readonly hints?: readonly ReadingProblem[];
}
