import { resourceScheme } from '../ui/ids';

/** What this plugin uses of a token of markdown-it. */
interface Token {
  type: string;
  content: string;
  children: Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

/** What this plugin uses of markdown-it. */
export interface MarkdownIt {
  readonly core: {
    readonly ruler: {
      push(
        name: string,
        rule: (state: { readonly tokens: Token[]; readonly env: unknown }) => void,
      ): unknown;
    };
  };
}

/**
 * Keeps the editor's Markdown preview from doing what a server wants when it shows a resource:
 * images are not fetched from anywhere, HTML is shown as text, and links lead to web pages only.
 */
export function extendMarkdownIt<M extends MarkdownIt>(markdown: M): M {
  markdown.core.ruler.push('mcp-workbench', ({ tokens, env }) => {
    if (isResource(env)) for (const token of tokens) disarm(token);
  });
  return markdown;
}

function isResource(env: unknown): boolean {
  const { currentDocument } = (env ?? {}) as {
    readonly currentDocument?: { readonly scheme?: string };
  };
  return currentDocument?.scheme === resourceScheme;
}

function disarm(token: Token): void {
  for (const child of token.children ?? []) disarm(child);
  switch (token.type) {
    case 'image':
      if (isLocal(token.attrGet('src'))) return;
      token.type = 'text';
      token.content = `[${token.content}](${token.attrGet('src') ?? ''})`;
      token.children = null;
      return;
    case 'html_block':
    case 'html_inline':
      token.type = 'text';
      return;
    case 'link_open':
      if (!isHarmless(token.attrGet('href'))) token.attrSet('href', '#');
      return;
    default:
  }
}

// Beside the resource on its server, or inside the text itself.
function isLocal(source: string | null): boolean {
  return source !== null && (!/^\s*(?:[a-z][a-z0-9+.-]*:|\/\/|\\)/i.test(source) || isData(source));
}

function isData(source: string): boolean {
  return /^data:image\/(?:png|jpeg|gif|webp);base64,/i.test(source);
}

function isHarmless(target: string | null): boolean {
  return target !== null && /^(?:https?:|mailto:|#|[^:]*$)/i.test(target);
}
