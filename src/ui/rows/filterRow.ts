import * as vscode from 'vscode';
import type { Command } from '../ids';
import type { RowClick } from './rowClicks';
import { treeRow } from './treeRow';

/** A row above the entries that a filter lets through; clicking it shows everything again. */
export interface FilterRow {
  readonly kind: 'filter';
  readonly filter: string;
  /** How many of the `total` entries the filter lets through. */
  readonly shown: number;
  readonly total: number;
}

/** The id that distinguishes it from other rows. */
const filterRowId = 'filter';

/** True for a row that stands for the filter. */
export function isFilterRow(value: unknown): value is FilterRow {
  return Object(value)['kind'] === 'filter';
}

/** Returns what clicking the row does; `clear` removes the filter. */
export function filterClick(clear: () => void): RowClick {
  return { row: filterRowId, run: () => Promise.resolve(clear()) };
}

/** Makes the item of such a row; `command` is the one that handles clicks on the view's rows. */
export function filterItem(
  { filter, shown, total }: FilterRow,
  command: (typeof Command)[keyof typeof Command],
): vscode.TreeItem {
  const { t } = vscode.l10n;
  return treeRow({
    id: filterRowId,
    kind: t('Filter'),
    label: t('“{0}”: {1} of {2}', filter, String(shown), String(total)),
    tooltip: t('Select to show everything again.'),
    icon: 'filter-filled',
    command: { command, title: t('Clear Filter') },
  });
}
