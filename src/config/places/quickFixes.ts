import * as vscode from 'vscode';
import { lineEndOf, plainLabel } from '../../base/text/text';
import type { Disposable } from '../../base/disposable';
import { Command } from '../../ui/ids';
import { diagnosticSource } from '../configuration';
import type { LayerProblem } from '../configLayer';
import { findServers } from './mcpJson';
import { type Edit, type Node, findNodeAtLocation, getNodeValue } from 'jsonc-parser';
import { isRecord, canonicalJson } from '../../base/json';
import { readJsonc } from '../../base/text/jsonc';
import { ownEntry } from '../../mcp/launch/ownEntry';
import { removeProperty } from '../applications/jsonEdits';

/**
 * Returns the edits that write the kind of a server as `mcp.json` does, where its entry has another spelling at
 * `offset`; comments stay. `parents` are the paths of the objects that may hold servers.
 */
export function respell(
  text: string,
  parents: readonly (readonly string[])[],
  offset: number,
): readonly Edit[] {
  const { root } = readJsonc(text);
  for (const parent of parents) {
    const servers = root && findNodeAtLocation(root, [...parent]);
    const server = servers?.children?.find((one) => isWithin(one, offset));
    const [name, entry] = server?.children ?? [];
    if (!name || entry?.type !== 'object') continue;
    const value = getNodeValue(entry) as unknown;
    const { respellings } = ownEntry(isRecord(value) ? value : {});
    if (!respellings.some(({ key }) => keyIn(entry, key)?.offset === offset)) return [];
    return respellings.flatMap(({ key, to }) => {
      const property = keyIn(entry, key)?.parent;
      const written = property?.children?.[1];
      if (!property || !written) return [];
      const ours = Object.entries(to);
      if (ours.length === 0) return removeProperty(text, [...parent, String(name.value), key]);
      const lineStart = text.lastIndexOf('\n', property.offset) + 1;
      const indent = text.slice(lineStart, property.offset);
      const isFirst = indent.trim() === '' && lineStart > 0;
      const separator = isFirst ? `,${lineEndOf(text)}${indent}` : ', ';
      const content = ours
        .map(([one, now]) => `${JSON.stringify(one)}: ${textOf(now, written, text)}`)
        .join(separator);
      return [{ offset: property.offset, length: property.length, content }];
    });
  }
  return [];
}

/** Returns the text that already says a value, with its comments, or a new one. */
function textOf(value: unknown, written: Node, text: string): string {
  const parts = (written.children ?? []).flatMap(({ children = [] }) => children[1] ?? []);
  const same = [written, ...parts].find(
    (one) => canonicalJson(getNodeValue(one)) === canonicalJson(value),
  );
  return same ? text.slice(same.offset, same.offset + same.length) : JSON.stringify(value);
}

function keyIn(entry: Node, key: string): Node | undefined {
  return entry.children?.map(({ children = [] }) => children[0]).find((one) => one?.value === key);
}

function isWithin({ offset, length }: Node, place: number): boolean {
  return place >= offset && place < offset + length;
}

const files = { pattern: '**/{.mcp.json,mcp.json,mcp-config.json,devcontainer.json}' };
const parents = [
  ['mcpServers'],
  ['servers'],
  ['customizations', 'vscode', 'mcp', 'servers'],
  ['customizations', 'vscode', 'mcp', 'mcpServers'],
];

type Fix = NonNullable<LayerProblem['fix']>;

/**
 * Offers *Move to Settings* for servers that other applications reading the same file cannot use, and the spelling of
 * `mcp.json` for what is written in another one.
 */
export function createQuickFixes(): Disposable {
  const { QuickFix } = vscode.CodeActionKind;
  return vscode.languages.registerCodeActionsProvider(
    files,
    {
      provideCodeActions(document, _range, { diagnostics }) {
        const marks = diagnostics.filter(({ source }) => source === diagnosticSource);
        return marks.flatMap((mark) => {
          const make = Object.entries(fixes).find(([fix]) => fix === mark.code)?.[1];
          const fix = make?.(document, mark.range.start);
          if (!fix) return [];
          const action = new vscode.CodeAction(plainLabel(fix.title), QuickFix);
          action.diagnostics = [mark];
          action.isPreferred = true;
          return [Object.assign(action, fix)];
        });
      },
    },
    { providedCodeActionKinds: [QuickFix] },
  );
}

type Fixed = Pick<vscode.CodeAction, 'title' | 'command' | 'edit'>;

const fixes: Readonly<
  Record<Fix, (document: vscode.TextDocument, at: vscode.Position) => Fixed | undefined>
> = {
  moveToSettings: (document, at) =>
    commandFix(document, at, vscode.l10n.t('Move to Settings'), Command.moveToSettings),
  moveDevelopment: (document, at) =>
    commandFix(document, at, vscode.l10n.t('Move "dev" to Settings'), Command.moveDevelopment),
  respell(document, at) {
    const edits = respell(document.getText(), parents, document.offsetAt(at));
    if (edits.length === 0) return undefined;
    const edit = new vscode.WorkspaceEdit();
    for (const { offset, length, content } of edits) {
      const range = new vscode.Range(
        document.positionAt(offset),
        document.positionAt(offset + length),
      );
      edit.replace(document.uri, range, content);
    }
    return { title: vscode.l10n.t('Write It as in mcp.json'), edit };
  },
};

/** Returns the command for the server whose name is at a position. */
function commandFix(
  document: vscode.TextDocument,
  { line, character }: vscode.Position,
  title: string,
  command: string,
): Fixed | undefined {
  const servers = findServers(document.getText(), parents);
  const server = servers.find(({ range }) => range.line === line && range.character === character);
  return (
    server && {
      title,
      command: { command, title, arguments: [document.uri.toString(), server.name] },
    }
  );
}
