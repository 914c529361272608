import * as vscode from 'vscode';
import { resourceScheme } from '../../ui/ids';
import type { Servers } from '../../mcp/servers';
import { expectedName } from './resourceDocument';
import { parseResourceUri, toResourceUri } from '../../ui/resourceUri';

const uriLike = /[a-z][a-z0-9+.-]*:[^\s<>"'`)\]}]+/gi;
const longest = 500_000;

/** Makes the URIs in a document of a server, where they name its other resources, links to those. */
export function registerDocumentLinks(servers: Servers): vscode.Disposable {
  return vscode.languages.registerDocumentLinkProvider(
    { scheme: resourceScheme },
    {
      provideDocumentLinks(document) {
        const location = parseResourceUri(document.uri);
        const server = location && servers.get(location.serverId);
        if (!server) return [];
        const listed = new Map(server.resources.items.map((one) => [one.uri, one]));
        const text = document.getText().slice(0, longest);
        return [...text.matchAll(uriLike)].flatMap(({ 0: found, index }) => {
          // A full stop or comma behind a URI belongs to the sentence.
          const uri = listed.has(found) ? found : found.replace(/[.,;:!?]+$/, '');
          const resource = listed.get(uri);
          if (!resource || uri === location.uri) return [];
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
