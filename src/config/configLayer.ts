import type { UnwrittenKind } from '../mcp/serverConfig';
import type { TextRange } from '../base/text/jsonc';
import type { Disposable } from '../base/disposable';
import type { Event } from '../base/event';
import { pathOfAddress } from '../base/uri/fileAddress';

/** What tells one place of configuration from all others. */
export type ConfigPlace = Pick<ConfigLayer, 'label' | 'uri' | 'folder' | 'workspace'>;

/**
 * Returns a text that names a place to people and serves as its key: its label and, on a line below if it has one,
 * the address of its file, or else of the folder or the workspace that it belongs to.
 */
export function sourceKey({ label, uri, folder, workspace }: ConfigPlace): string {
  return [label, uri ?? folder?.uri ?? workspace].filter(Boolean).join('\n');
}

/** Returns the place of a {@link sourceKey} as users are shown it: with the path of its file in place of the address. */
export function shownPlace(key: string): string {
  return key.split('\n').map(pathOfAddress).join('\n');
}

/** A kind of place where servers are configured. */
export interface ConfigSource extends Disposable {
  /**
   * Reads all places of this kind again; whatever cannot be read becomes a problem in its layer. `last` are the
   * layers of all places that are in use now.
   */
  read(last: readonly ConfigLayer[]): Promise<readonly ConfigLayer[]>;
  readonly onDidChange: Event<void>;
}

/** Returns the wanted name, or the first one with a number appended (`name-2`, …) that is not taken. */
export function freeName(wanted: string, isTaken: (name: string) => boolean): string {
  let name = wanted;
  for (let count = 2; isTaken(name); count += 1) name = `${wanted}-${count}`;
  return name;
}

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
  /** Set if no file has the entry, and this window lists it because the user asked for it. */
  readonly unwritten?: UnwrittenKind;
  /** Set if the editor's own client reads the place, too, and acts on `dev` in its entries. */
  readonly isOfEditor?: true;
  /** What can be used but is probably a mistake. */
  readonly hints?: readonly LayerProblem[];
}
