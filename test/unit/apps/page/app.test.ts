import assert from 'node:assert/strict';
import { inEnglish } from '../../../../src/base/translate';
import { maxAppBytes, maxSourceLength, readApp, sourceText } from '../../../../src/apps/page/app';
import { allowAttribute, readPermissions } from '../../../../src/apps/page/permissions';
import { appMimeType } from '../../../../src/contracts/toolApps';
import type { Resource, ResourceContents } from '../../../../src/mcp/protocol/types';
import { fakeServer } from '../../../support/fakes/fakeServer';

const uri = 'ui://demo/view';
const html = '<!doctype html><p>Grüße</p>';
const content = (part: Partial<ResourceContents> = {}): ResourceContents => ({
  uri,
  mimeType: appMimeType,
  text: html,
  ...part,
});

function read(contents: readonly ResourceContents[], resources: Resource[] = []) {
  const server = fakeServer({ resources });
  server.answer = async () => ({ contents });
  return readApp(server, uri, inEnglish);
}

describe('the source of an app', () => {
  const last = '<script>fetch("https://evil.example")</script>';
  const filled = (part: string) =>
    part.repeat((maxAppBytes - last.length) / Buffer.byteLength(part)) + last;
  for (const [what, part] of Object.entries({
    'one line': 'a',
    'many lines': 'harmless\n',
    'elements that get lines of their own': '<p><b>',
    'letters of several bytes': 'ü',
  }))
    it(`is shown to its end, however long it is: ${what}`, () => {
      const text = sourceText(filled(part), inEnglish);
      assert.ok(text.trimEnd().endsWith(last.replace('><', '>\n<')), text.slice(-100));
    });

  for (const [what, part] of Object.entries({ 'hidden characters': '\u200B', controls: '\u0001' }))
    it(`says first that its end is missing, and takes no time for that: ${what}`, () => {
      const text = sourceText(filled(part), inEnglish);
      assert.match(
        text,
        /^This source is too long to be shown in full: its end is missing\.\n\n⟨U\+/,
      );
      assert.ok(text.length < maxSourceLength + 100);
    });
});

describe('an app', () => {
  const { text: _text, ...blob } = content({ blob: Buffer.from(html).toString('base64') });
  const readable: readonly [what: string, contents: readonly ResourceContents[]][] = [
    ['a text', [content()]],
    ['bytes', [blob]],
    ['a type with blanks and quotes', [content({ mimeType: 'Text/HTML; profile="mcp-app"' })]],
    ['one of several', [content({ uri: 'ui://other', text: 'no' }), content()]],
    ['under another URI', [content({ uri: 'ui://demo/view/' })]],
  ];
  for (const [what, contents] of readable)
    it(`is read from ${what}`, async () => {
      const app = await read(contents);
      assert.equal(app.html, html);
      assert.equal(app.bytes, Buffer.byteLength(html));
    });

  const unreadable: readonly [what: string, contents: readonly ResourceContents[], why: RegExp][] =
    [
      ['nothing', [], /ui:\/\/demo\/view of demo is not an app: the server sent nothing\./],
      [
        'plain HTML',
        [content({ mimeType: 'text/html' })],
        /its media type is text\/html, not text/,
      ],
      ['an address', [content({ mimeType: 'text/uri-list' })], /its media type is text\/uri-list/],
      ['no type', [{ uri, text: html }], /the server sent no media type/],
      ['50 MB', [content({ text: 'a'.repeat(50_000_000) })], /its HTML is 50 MB, more than 10 MB/],
      [
        '50 MB of bytes',
        [{ uri, mimeType: appMimeType, blob: 'AAAA'.repeat(16_666_667) }],
        /its HTML is 50 MB, more than 10 MB/,
      ],
      [
        'characters of many bytes',
        [content({ text: '€'.repeat(maxAppBytes / 2) })],
        /its HTML is 15 MB, more than 10 MB/,
      ],
    ];
  for (const [what, contents, why] of unreadable)
    it(`is refused where the server sends ${what}`, () => assert.rejects(read(contents), why));

  it('has scripts that can change unseen wherever it declares a site for them, whatever digests it names', async () => {
    const checked = `<script src="https://cdn.example/a.js" integrity="sha384-${'a'.repeat(64)}"></script>`;
    const sites = async (resourceDomains: readonly string[]) => {
      const _meta = { ui: { csp: { resourceDomains } } };
      return (await read([content({ text: checked, _meta })])).canChange;
    };
    assert.equal(await sites(['https://cdn.example']), true);
    assert.equal(await sites([]), false);
  });

  it('has what its document declares, and what its list does where that is silent', async () => {
    const listed = {
      uri,
      name: 'view',
      _meta: {
        ui: {
          csp: { connectDomains: ['https://listed.example'] },
          permissions: { camera: {} },
        },
      },
    };
    const app = await read(
      [content({ _meta: { ui: { csp: { connectDomains: ['https://own.example', '*'] } } } })],
      [listed],
    );
    assert.deepEqual(app.origins.connect, ['https://own.example']);
    assert.deepEqual(app.refused, ['*']);
    assert.deepEqual(app.permissions, ['camera']);
  });

  it('has another fingerprint when anything about it changes that an approval is for', async () => {
    const ui = (value: object) => [content({ _meta: { ui: value } })];
    const prints = await Promise.all(
      [
        [content()],
        [content({ text: `${html} ` })],
        ui({ csp: { connectDomains: ['https://a.example'] } }),
        ui({ csp: { resourceDomains: ['https://a.example'] } }),
        ui({ permissions: { camera: {} } }),
      ].map(async (contents) => (await read(contents)).fingerprint),
    );
    assert.equal(new Set(prints).size, prints.length);
    assert.equal((await read([content()])).fingerprint, prints[0]);
  });
});

describe('permissions of an app', () => {
  const table: readonly [declared: unknown, read: readonly string[]][] = [
    [undefined, []],
    [[], []],
    ['camera', []],
    [{ camera: true }, []],
    [{ camera: {}, usb: {}, 'camera *; microphone': {} }, ['camera']],
    [{ clipboardWrite: {}, microphone: {} }, ['microphone', 'clipboardWrite']],
  ];
  for (const [declared, expected] of table)
    it(`are [${expected.join()}] where ${JSON.stringify(declared)} is declared`, () => {
      assert.deepEqual(readPermissions(declared), expected);
    });

  it('are denied to the frame unless they are granted', () => {
    assert.equal(
      allowAttribute(['microphone']),
      "camera 'none'; microphone *; geolocation 'none'; clipboard-write 'none'",
    );
  });
});
