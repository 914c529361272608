import * as vscode from 'vscode';
import { openFile, type Permit } from '../../ui/keyboard';
import type { ResourceDocument } from './resourceDocument';

/**
 * Opens a document that a server wrote in an editor in which nothing in it can run: text in the text editor, even that
 * of a notebook, the rest in an editor that previews its kind. Resolves to false if there is none.
 */
export async function openDocument(
  uri: vscode.Uri,
  { kind, name }: Pick<ResourceDocument, 'kind' | 'name'>,
  permit: Permit,
  options: vscode.TextDocumentShowOptions = {},
): Promise<boolean> {
  if (kind === 'text') await openFile(uri, permit, { ...options, editor: 'default' });
  else if (hasPreview(name)) await openFile(uri, permit, options);
  else return false;
  return true;
}

// Looks for an editor that an extension contributes, such as the built-in preview of images.
function hasPreview(name: string): boolean {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return vscode.extensions.all.some(({ packageJSON }) =>
    editorPatterns(packageJSON).some((pattern) => {
      const [, one, many] = /^\*\.(?:([\w-]+)|\{([\w,.-]+)\})$/.exec(pattern) ?? [];
      return one === extension || many?.split(',').includes(extension) === true;
    }),
  );
}

function editorPatterns(manifest: unknown): readonly string[] {
  const { contributes } = manifest as {
    contributes?: {
      customEditors?: readonly { selector?: readonly { filenamePattern?: string }[] }[];
    };
  };
  return (contributes?.customEditors ?? []).flatMap(({ selector = [] }) =>
    selector.flatMap(({ filenamePattern }) => filenamePattern?.toLowerCase() ?? []),
  );
}
