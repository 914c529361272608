import * as vscode from 'vscode';
import { addressLabel } from '../../base/text/address';
import { plainLabel } from '../../base/text/text';
import type { AddressConcern, JudgedHost } from '../../mcp/http/webAddress';
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
      label: concernText(concern),
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

function concernText(concern: AddressConcern): string {
  const { t } = vscode.l10n;
  switch (concern) {
    case 'lookAlike':
      return t('The domain contains look-alike characters');
    case 'credentials':
      return t('The text before @ is not the site');
    case 'port':
      return t('The page uses an unusual port');
    case 'ipAddress':
      return t('The address is an IP address');
    case 'thisMachine':
      return t('The page is served by a program on this machine');
    case 'privateNetwork':
      return t('The page is in a private network');
  }
}
