import * as vscode from 'vscode';
import type { Command } from '../ids';
import type { RowClick } from './rowClicks';
import { treeRow } from './treeRow';

/** A row above what a filter lets through, on which a click shows everything again. */
export interface FilterRow {
  readonly kind: 'filter';
  readonly filter: string;
  /** How many the filter lets through of how many. */
  readonly shown: number;
  readonly total: number;
}

/** What tells it from other rows. */
const filterRowId = 'filter';

/** True for a row that stands for the filter. */
export function isFilterRow(value: unknown): value is FilterRow {
  return Object(value)['kind'] === 'filter';
}

/** What a click on such a row does: `clear` takes the filter away. */
export function filterClick(clear: () => void): RowClick {
  return { row: filterRowId, run: () => Promise.resolve(clear()) };
}

/** The item of such a row; `command` opens the row that was clicked. */
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
