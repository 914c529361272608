import * as vscode from 'vscode';
import { resourceScheme } from '../../ui/ids';
import type { Servers } from '../../mcp/servers';
import { findMentions } from '../../base/uri/mentions';
import { expectedName } from './resourceDocument';
import { parseResourceUri, toResourceUri } from '../../ui/resourceUri';

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
