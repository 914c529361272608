import * as vscode from 'vscode';
import { addressLabel } from '../../base/text/address';
import { plainLabel } from '../../base/text/text';
import { concernText, type AddressConcern, type JudgedHost } from '../../mcp/http/webAddress';
import type { PickLook } from './picks';

/** At most this many characters of a text fit into a row of a pick beside its heading. */
const rowLength = 60;

/** Returns the rows of a question that say who is behind an address, and what to know about it: the same in each. */
export function siteRows({
  site,
  written,
  concerns,
}: JudgedHost<AddressConcern>): readonly PickLook[] {
  return [
    {
      label: addressLabel(site),
      iconPath: new vscode.ThemeIcon('globe'),
      ...(written !== undefined && {
        description: vscode.l10n.t('looks like {0}', addressLabel(written)),
      }),
    },
    ...concerns.map((concern) => ({
      label: concernText(concern, vscode.l10n.t),
      iconPath: new vscode.ThemeIcon('warning'),
    })),
  ];
}

/** Returns what can be done with the address of a page: have it opened, or copy it. */
export function visitRows(): readonly (PickLook & { readonly choice: 'open' | 'copy' })[] {
  const { t } = vscode.l10n;
  return [
    {
      label: t('Open in Browser'),
      iconPath: new vscode.ThemeIcon('link-external'),
      choice: 'open',
    },
    { label: t('Copy Address'), iconPath: new vscode.ThemeIcon('copy'), choice: 'copy' },
  ];
}

/** Returns all of an address, in as many rows as it takes. */
export function wholeRows(address: string): readonly PickLook[] {
  const rows: PickLook[] = [];
  for (let at = 0; at < address.length; at += rowLength)
    rows.push({ label: plainLabel(address.slice(at, at + rowLength)) });
  return rows;
}
