import { trimEnd } from '../../base/text/text';
import { isOwnScheme, resourceScheme } from '../../ui/ids';
import * as vscode from 'vscode';
import type { Servers } from '../../mcp/server';
import { expectedName } from './resourceDocument';
import { parseResourceUri, toResourceUri } from '../../ui/resourceUri';

/** A resource whose URI occurs in a text. */
interface Mention<R> {
  /** The position of the URI in the text, in UTF-16 units. */
  readonly index: number;
  readonly uri: string;
  readonly resource: R;
}

// A scheme is short; without a limit, a long run of letters would be scanned again from each of them.
const uriLike = /[a-z][a-z0-9+.-]{0,31}:[^\s<>"'`)\]}]+/gi;

/** The longest part of a text that is searched, in UTF-16 units. */
export const maxSearched = 500_000;

/** At most this many mentions are found. */
export const maxMentions = 2000;

/** Finds the resources of `listed` whose URIs occur in a text, in order. */
export function findMentions<R>(
  text: string,
  listed: ReadonlyMap<string, R>,
): readonly Mention<R>[] {
  const mentions: Mention<R>[] = [];
  for (const { 0: found, index } of text.slice(0, maxSearched).matchAll(uriLike)) {
    // A period or comma after a URI belongs to the sentence.
    const uri = listed.has(found) ? found : trimEnd(found, /[.,;:!?]/);
    const resource = listed.get(uri);
    if (resource !== undefined) mentions.push({ index, uri, resource });
    if (mentions.length === maxMentions) break;
  }
  return mentions;
}

/** Turns URIs in a server's document into links if they name other resources of that server. */
export function registerDocumentLinks(servers: Servers): vscode.Disposable {
  return vscode.languages.registerDocumentLinkProvider(
    { scheme: resourceScheme },
    {
      provideDocumentLinks(document) {
        const location = parseResourceUri(document.uri);
        const server = location && servers.get(location.serverId);
        if (!server) return [];
        const listed = new Map(server.resources.items.map((one) => [one.uri, one]));
        return findMentions(document.getText(), listed).flatMap(({ index, uri, resource }) => {
          if (uri === location.uri) return [];
          const range = new vscode.Range(
            document.positionAt(index),
            document.positionAt(index + uri.length),
          );
          const ref = { serverId: server.id, uri };
          return [new vscode.DocumentLink(range, toResourceUri(ref, expectedName(uri, resource)))];
        });
      },
    },
  );
}

/** The parts of a markdown-it token that this plugin uses. */
export interface MarkdownToken {
  readonly content: string;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

/** A rule of markdown-it's renderer, which returns the HTML of the token at `index`. */
export type RenderRule = (
  tokens: MarkdownToken[],
  index: number,
  options: unknown,
  env: unknown,
  self: { renderToken(tokens: MarkdownToken[], index: number, options: unknown): string },
) => string;

/** The parts of markdown-it that this plugin uses. */
export interface MarkdownIt {
  readonly renderer: { readonly rules: Record<string, RenderRule | undefined> };
  readonly utils: { escapeHtml(text: string): string };
}

/**
 * Keeps the editor's Markdown preview from doing what a server wants when it shows a resource: images come only from
 * the text or the same server, HTML but for a player of a file beside it is shown as text, and links lead only to web,
 * mail, and relative addresses.
 */
export function extendMarkdownIt<M extends MarkdownIt>(markdown: M): M {
  const { renderer, utils } = markdown;
  const guard = (
    name: string,
    instead: (token: MarkdownToken, scheme: string) => string | undefined,
  ): void => {
    const usual = renderer.rules[name];
    renderer.rules[name] = (tokens, index, options, env, self) => {
      const token = tokens[index];
      const scheme = schemeOf(env);
      const text = token && isOwnScheme(scheme) ? instead(token, scheme) : undefined;
      if (text !== undefined) return utils.escapeHtml(text);
      return usual
        ? usual(tokens, index, options, env, self)
        : self.renderToken(tokens, index, options);
    };
  };
  guard('image', (token) => {
    const source = written(token, 'src');
    return isLocal(source) ? undefined : `[${token.content}](${source})`;
  });
  guard('html_block', ({ content }) => content);
  guard('html_inline', ({ content }, scheme) => (isPlayer(content, scheme) ? undefined : content));
  guard('link_open', (token) => {
    if (!isHarmless(written(token, 'href')))
      for (const name of ['href', 'data-href']) token.attrSet(name, '#');
    return undefined;
  });
  return markdown;
}

function schemeOf(env: unknown): string {
  const { currentDocument } = (env ?? {}) as {
    readonly currentDocument?: { readonly scheme?: string };
  };
  return currentDocument?.scheme ?? '';
}

// The preview rewrites relative addresses and keeps the originals in attributes beside them.
function written(token: MarkdownToken, name: string): string {
  return token.attrGet(`data-${name}`) ?? token.attrGet(name) ?? '';
}

// An image beside the resource on its server, or inside the text itself.
function isLocal(source: string): boolean {
  return (
    /^data:image\/(?:png|jpeg|gif|webp);base64,/i.test(source) ||
    !/^\s*(?:[a-z][a-z0-9+.-]*:|\/\/|\\)/i.test(source)
  );
}

// Such as the documents of results have: it plays nothing by itself, and leads nowhere else. What is beside a resource
// would be asked of its server.
function isPlayer(html: string, scheme: string): boolean {
  const player =
    /^<(?:audio controls preload="(none|metadata)" src="\.\/[\w.!~*'()%-]+"|\/audio)>$/.exec(html);
  return player !== null && !(player[1] === 'metadata' && scheme === resourceScheme);
}

function isHarmless(target: string): boolean {
  return /^(?:https?:|mailto:|#|[^:]*$)/i.test(target);
}
