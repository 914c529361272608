import type { TextRange } from '../base/text/textRange';

/** How close a place of configuration is to the user's work: a later scope wins over an earlier one. */
export const scopes = ['user', 'workspace', 'folder'] as const;

/** One of {@link scopes}. */
export type Scope = (typeof scopes)[number];

/** A server as it is written in a place of configuration; its value is not checked yet. */
export interface ServerEntry {
  readonly name: string;
  readonly value: unknown;
  /** The range of the server's name, if the place is a file. */
  readonly range?: TextRange;
}

/** Something that cannot be used or is probably a mistake, in a full sentence, with its range if known. */
export interface LayerProblem {
  readonly message: string;
  readonly range?: TextRange;
  /** The fix that the extension offers, if any: to move the server or its `dev` to the settings, or to spell it as we do. */
  readonly fix?: 'moveToSettings' | 'moveDevelopment' | 'respell';
}

/** A workspace folder; `uri` as the editor writes it. */
export interface Folder {
  readonly uri: string;
  readonly name: string;
}

/** The contents of one place of configuration. */
export interface ConfigLayer {
  readonly scope: Scope;
  /** The place in words, such as `User Settings` or `web/.vscode/mcp.json`. */
  readonly label: string;
  /** The URI of the file, if the place is one. */
  readonly uri?: string;
  /** The path of the object that holds the servers, if it is not the whole file. */
  readonly parent?: readonly string[];
  /** The folder that the place belongs to, for the scope `folder`. */
  readonly folder?: Folder;
  /** The address of the workspace that the place belongs to, for the scope `workspace`. */
  readonly workspace?: string;
  readonly entries: readonly ServerEntry[];
  /** The `inputs` of the place, not checked yet. */
  readonly inputs: unknown;
  readonly problems: readonly LayerProblem[];
  /** Set if the place comes with the extension and the user has asked for it. */
  readonly isIncluded?: true;
  /** Set if the editor's own client reads the place, too, and acts on `dev` in its entries. */
  readonly isOfEditor?: true;
  /** What can be used but is probably a mistake. */
  readonly hints?: readonly LayerProblem[];
}
