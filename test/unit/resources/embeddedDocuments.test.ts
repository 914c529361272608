import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { EmbeddedDocuments } from '../../../src/resources/documents/embeddedDocuments';
import { parseResourceUri, toEmbeddedUri, toResourceUri } from '../../../src/ui/resourceUri';

describe('documents that came inside results', () => {
  const contents = { uri: 'x://a', text: 'this one' };
  const documents = new EmbeddedDocuments();
  const uri = documents.add('one', contents);
  const { embedded = '' } = parseResourceUri(uri) ?? {};

  const find = (at: vscode.Uri) => {
    const location = parseResourceUri(at);
    assert.ok(location);
    return documents.find(location);
  };

  it('are found by the URI that they were given', () =>
    assert.equal(Buffer.from(find(uri)?.bytes ?? []).toString(), 'this one'));

  for (const [what, at] of [
    ['of another session', new EmbeddedDocuments().add('one', contents)],
    ['of another server', toEmbeddedUri(toResourceUri({ ...contents, serverId: 'two' }), embedded)],
    [
      'of another resource',
      toEmbeddedUri(toResourceUri({ serverId: 'one', uri: 'x://b' }), embedded),
    ],
  ] as const)
    it(`are not taken for one ${what}, which says that it is gone`, () =>
      assert.throws(() => find(at), {
        name: 'UserError',
        message: /^x:\/\/[ab] came inside a result that is no longer kept\./,
      }));

  it('are none of those that are read', () =>
    assert.equal(find(toResourceUri({ serverId: 'one', uri: 'x://a' })), undefined));
});
