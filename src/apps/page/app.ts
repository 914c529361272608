import { UserError } from '../../base/errors';
import { formatBytes, plainLabel, shownText, truncate } from '../../base/text/text';
import type { Translate } from '../../base/translate';
import { appMimeType, uiOf } from '../../contracts/toolApps';
import { fingerprint } from '../../base/bytes';
import { contentBytes } from '../../mcp/protocol/content';
import type { ResourceContents } from '../../mcp/protocol/types';
import type { Server } from '../../mcp/server';
import type { RequestOptions } from '../../mcp/session/session';
import { type Origins, readOrigins } from './origins';
import { type Permission, readPermissions } from './permissions';

/** The longest source that is shown in full, in UTF-16 units: more than what users see of it, nobody should run. */
export const maxSourceLength = 20_000_000;

/**
 * Returns the HTML of an app in a form to read and compare, with hidden characters made visible and line
 * breaks after each element and statement, because most apps are one line of a million characters. If that is too long,
 * it says so first.
 */
export function sourceText(html: string, t: Translate): string {
  const text = html.replaceAll(/(>)(?=<)|([;{}])(?=[^\s;,)}\]'"`])/g, '$&\n');
  const shown = shownText(text, maxSourceLength + 1);
  if (shown.length <= maxSourceLength) return shown;
  const cut = t('This source is too long to be shown in full: its end is missing.');
  return `${cut}\n\n${truncate(shown, maxSourceLength)}`;
}

/** An app as its server defines it, read and checked but not yet shown. */
export interface App {
  readonly uri: string;
  readonly html: string;
  /** The size of the HTML in bytes of UTF-8. */
  readonly bytes: number;
  readonly origins: Origins;
  /** The origins that it declares but must not reach, as it wrote them. */
  readonly refused: readonly string[];
  readonly permissions: readonly Permission[];
  /** True if scripts that it loads from declared sites can change unseen: their bytes are not in the app itself. */
  readonly canChange: boolean;
  /** The fingerprint of the URI, HTML, origins, and permissions, to which an approval is bound. */
  readonly fingerprint: string;
}

/** The largest HTML that is shown, in bytes. */
export const maxAppBytes = 10_000_000;

/** Reads the app at `uri` from its server; throws a `UserError` that names it if it cannot be shown. */
export async function readApp(
  server: Server,
  uri: string,
  t: Translate,
  options?: RequestOptions,
): Promise<App> {
  const { contents } = await server.readResource(uri, options);
  const content = contents.find((one) => one.uri === uri && isApp(one)) ?? contents.find(isApp);
  if (!content)
    throw new UserError(
      t(
        '{0} of {1} is not an app: {2}.',
        plainLabel(uri),
        plainLabel(server.name, 60),
        whyNot(contents, t),
      ),
    );
  const { text, blob } = content;
  // Content that is clearly too long is not converted just to measure it.
  const length = blob === undefined ? (text ?? '').length : Math.floor(blob.length * 0.75);
  const bytes = length > maxAppBytes ? undefined : contentBytes(content);
  if (!bytes || bytes.length > maxAppBytes)
    throw new UserError(
      t(
        '{0} of {1} is not shown: its HTML is {2}, more than {3}.',
        plainLabel(uri),
        plainLabel(server.name, 60),
        formatBytes(bytes?.length ?? length),
        formatBytes(maxAppBytes),
      ),
    );
  const html = blob === undefined ? (text ?? '') : new TextDecoder().decode(bytes);
  const listed = server.resources.items.find((one) => one.uri === uri);
  const ui = { ...uiOf(listed?._meta), ...uiOf(content._meta) };
  const { origins, refused } = await readOrigins(ui['csp']);
  const permissions = readPermissions(ui['permissions']);
  return {
    uri,
    html,
    bytes: bytes.length,
    origins,
    refused,
    permissions,
    canChange: origins.resource.length > 0,
    fingerprint: await fingerprint({ uri, html, origins, permissions }),
  };
}

function isApp({ mimeType = '' }: ResourceContents): boolean {
  return mimeType.replaceAll(/[\s"]/g, '').toLowerCase() === appMimeType;
}

function whyNot([first]: readonly ResourceContents[], t: Translate): string {
  if (!first) return t('the server sent nothing');
  const { mimeType } = first;
  return mimeType === undefined
    ? t('the server sent no media type')
    : t('its media type is {0}, not {1}', plainLabel(mimeType, 60), appMimeType);
}
