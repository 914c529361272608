import * as vscode from 'vscode';
import { treeTexts, type TreeTexts } from '../../base/text/rowTexts';
import { plainLabel } from '../../base/text/text';

/** The name of an icon of the editor, or an image. */
export type RowIcon = string | vscode.IconPath;

/** A row of a tree, with its texts as they were written: {@link treeRow} makes them safe. */
export interface TreeRow extends TreeTexts {
  /** Unique in its tree. */
  readonly id?: string;
  readonly icon?: RowIcon;
  /** The id of a theme's color for an icon that is given by its name. */
  readonly iconColor?: string | undefined;
  /** Whether the rows below are shown at first; absent if there are none. */
  readonly below?: 'collapsed' | 'expanded' | undefined;
  /** The value that menus depend on. */
  readonly contextValue?: string;
  readonly command?: vscode.Command | undefined;
  /** What the icon theme and the editor's decorations depend on. */
  readonly resourceUri?: vscode.Uri;
  readonly checkbox?: { readonly isChecked: boolean; readonly label: string };
}

/** Makes the item of a row; nothing else does, so that a server's texts work only as text. */
export function treeRow(row: TreeRow): vscode.TreeItem {
  const { checkbox } = row;
  const state = row.state ?? (checkbox && checkedText(checkbox.isChecked));
  const { label, description, tooltip, spoken } = treeTexts({ ...row, state });
  const item = new vscode.TreeItem(label, collapsibleState(row.below));
  item.accessibilityInformation = { label: spoken };
  if (row.id !== undefined) item.id = row.id;
  if (description !== undefined) item.description = description;
  if (tooltip !== undefined) item.tooltip = tooltip;
  if (row.icon !== undefined) item.iconPath = iconOf(row.icon, row.iconColor);
  if (row.contextValue !== undefined) item.contextValue = row.contextValue;
  if (row.command) item.command = row.command;
  if (row.resourceUri) item.resourceUri = row.resourceUri;
  if (checkbox) item.checkboxState = checkboxState(checkbox);
  return item;
}

function collapsibleState(below: TreeRow['below']): vscode.TreeItemCollapsibleState {
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  if (below === undefined) return None;
  return below === 'expanded' ? Expanded : Collapsed;
}

function iconOf(icon: RowIcon, color: string | undefined): vscode.IconPath {
  if (typeof icon !== 'string') return icon;
  return new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
}

/** Returns the state of a check box in words, as a screen reader does not get from the row to the box. */
function checkedText(isChecked: boolean): string {
  return isChecked ? vscode.l10n.t('checked') : vscode.l10n.t('not checked');
}

function checkboxState({ isChecked, label }: NonNullable<TreeRow['checkbox']>) {
  const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
  return { state: isChecked ? Checked : Unchecked, tooltip: plainLabel(label) };
}
