// The conditions under which the manifest offers commands, in words: each makes a `when` clause of the editor.
import {
  AppWebview,
  choiceKey,
  ContextKey,
  firstChoiceKey,
  inputScheme,
  reportScheme,
  resourceScheme,
  View,
} from '../../src/ui/ids';

/** All of them hold. */
export function and(...clauses: readonly string[]): string {
  return clauses.join(' && ');
}

/** One of them holds; inside {@link and}, it stands in parentheses. */
export function or(...clauses: readonly string[]): string {
  return clauses.join(' || ');
}

/** A context key is not set. */
export function not(key: string): string {
  return `!${key}`;
}

/** A view is looked at: its title has the command. */
export function inView(view: string): string {
  return `view == ${view}`;
}

/** The row is of this kind: the whole context value of its item, or a pattern for it. */
export function item(kind: string | RegExp): string {
  return typeof kind === 'string' ? `viewItem == ${kind}` : `viewItem =~ ${String(kind)}`;
}

const rowIn =
  (view: string) =>
  (kind: string | RegExp, ...more: readonly string[]): string =>
    and(
      inView(view),
      item(kind),
      ...more.map((clause) => (clause.includes(' || ') ? `(${clause})` : clause)),
    );

/** A row of the tree of servers. */
export const serversRow = rowIn(View.servers);
/**
 * The row is of this kind, or a server's while several are selected: the editor shows only what fits each of them, and
 * they differ in their states. Where rows of other kinds are selected as well, those have it, too.
 */
export function severalRows(kind: RegExp): string {
  const isServer = and(ContextKey.severalSelected, item(/^server\./));
  return and(inView(View.servers), `(${or(item(kind), isServer, ContextKey.mixedSelected)})`);
}
/** A row of the log of calls. */
export const logRow = rowIn(View.toolLog);
/** A row of the traffic. */
export const trafficRow = rowIn(View.traffic);

/** The document in front offers the command, as one of several choices. */
export function offers(command: string): string {
  return `resource in ${choiceKey(command)}`;
}

/** The document in front offers the command before all others. */
export function leads(command: string): string {
  return `resource in ${firstChoiceKey(command)}`;
}

/** The document in front is one of those that a context key lists. */
export function among(key: string): string {
  return `resource in ${key}`;
}

/** The document in front is none of those that a context key lists. */
export function notAmong(key: string): string {
  return `resource not in ${key}`;
}

/** A resource is in front. */
export const resourceTab = `resourceScheme == ${resourceScheme}`;
/** A recording is in front, or meant: a file of a disk, here or where the window is connected to. */
export const recordingFile = String.raw`resourceScheme =~ /^(file|vscode-remote)$/ && resourceFilename =~ /\.mcp-recording\.jsonc$/`;
/** A report about a server is in front. */
export const reportTab = `resourceScheme == ${reportScheme}`;
/** A document of this window alone is in front. */
export const inputTab = `resourceScheme == ${inputScheme}`;
/** An app of a server is in front. */
export const appTab = `activeWebviewPanelId == ${AppWebview}`;
/** An editor of text is in front, whose document something can be compared with. */
export const textInFront = String.raw`activeEditor =~ /^workbench\.editors\.(files\.textFileEditor|textResourceEditor)$/`;
