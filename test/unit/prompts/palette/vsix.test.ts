import assert from 'node:assert/strict';
import { strFromU8, unzipSync } from 'fflate';
import { createVsix } from '../../../../src/prompts/palette/companionExtension';

describe('the package of the generated extension', () => {
  const manifest = {
    publisher: 'p',
    name: 'n',
    version: '1.0.7',
    displayName: 'A & B <"C">',
    description: 'd',
    contributes: { commands: [{ title: '日本語 👍🏽' }] },
  };
  let files: ReturnType<typeof unzipSync>;

  before(async () => {
    files = unzipSync(await createVsix(manifest));
  });

  it('holds a manifest and what every package must have, and nothing else', () =>
    assert.deepEqual(Object.keys(files).toSorted(), [
      '[Content_Types].xml',
      'extension.vsixmanifest',
      'extension/package.json',
    ]));

  it('keeps the manifest as it is', () =>
    assert.deepEqual(
      JSON.parse(strFromU8(files['extension/package.json'] ?? new Uint8Array())),
      manifest,
    ));

  it('escapes texts in XML', () => {
    const xml = strFromU8(files['extension.vsixmanifest'] ?? new Uint8Array());
    assert.ok(xml.includes('<DisplayName>A &amp; B &lt;&quot;C&quot;&gt;</DisplayName>'));
    assert.ok(xml.includes('Id="n" Version="1.0.7" Publisher="p"'));
  });
});
