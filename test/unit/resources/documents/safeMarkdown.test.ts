import assert from 'node:assert/strict';
import {
  extendMarkdownIt,
  type MarkdownToken,
  type RenderRule,
} from '../../../../src/resources/documents/safeMarkdown';
import { inputScheme, reportScheme, resourceScheme } from '../../../../src/ui/ids';

const usual = '<usual>';
const renderToken = () => usual;

/** Renders one token like the preview of a document with this scheme. */
function render(
  scheme: string,
  rule: string,
  content: string,
  attributes: Record<string, string> = {},
): string {
  const token: MarkdownToken = {
    content,
    attrGet: (name) => attributes[name] ?? null,
    attrSet: (name, value) => (attributes[name] = value),
  };
  const rules: Record<string, RenderRule | undefined> = { image: renderToken };
  extendMarkdownIt({
    renderer: { rules },
    utils: { escapeHtml: (text) => text.replaceAll('<', '&lt;') },
  });
  const env = { currentDocument: { scheme } };
  return rules[rule]?.([token], 0, {}, env, { renderToken }) ?? '';
}

describe('the Markdown plugin', () => {
  for (const scheme of [resourceScheme, reportScheme, inputScheme, 'mcp-workbench-launch'])
    it(`guards each of our documents: ${scheme}`, () => {
      assert.notEqual(render(scheme, 'image', 'x', { src: 'https://example.invalid/leak' }), usual);
      assert.equal(render(scheme, 'html_inline', '<b>'), '&lt;b>');
    });

  it('leaves the documents of others alone', () => {
    for (const scheme of ['file', 'mcp-workbenches', 'untitled'])
      assert.equal(render(scheme, 'image', 'x', { src: 'https://example.invalid/x' }), usual);
  });

  for (const [src, kept] of [
    ['https://example.invalid/leak.png', false],
    ['//example.invalid/leak.png', false],
    ['\\\\example.invalid\\leak.png', false],
    ['http://example.invalid/x', false],
    ['data:image/svg+xml;base64,AAAA', false],
    ['data:image/png;base64,AAAA', true],
    ['picture.png', true],
    ['../picture.png', true],
  ] as const)
    it(`${kept ? 'leaves' : 'shows as text'} an image from ${src}`, () => {
      const shown = kept ? usual : `[alt](${src})`;
      assert.equal(render('mcp-workbench', 'image', 'alt', { src }), shown);
      assert.equal(render('file', 'image', 'alt', { src }), usual);
    });

  it('goes by what was written where the preview has rewritten an address', () => {
    const rewritten = { src: 'https://webview.invalid/picture.png', 'data-src': 'picture.png' };
    assert.equal(render('mcp-workbench', 'image', 'alt', rewritten), usual);
  });

  for (const rule of ['html_block', 'html_inline'])
    it(`shows ${rule} as text, and only in resources`, () => {
      const html = '<img src=x onerror=alert(1)>';
      assert.equal(render('mcp-workbench', rule, html), '&lt;img src=x onerror=alert(1)>');
      assert.equal(render('file', rule, html), usual);
    });

  for (const [html, kept] of [
    ['<audio controls preload="none" src="./audio-1.wav">', true],
    [`<audio controls preload="none" src="./${encodeURIComponent('a b\'("ü).ogg')}">`, true],
    ['</audio>', true],
    ['<audio controls autoplay src="./audio-1.wav">', false],
    ['<audio controls preload="none" src="https://example.invalid/x.wav">', false],
    ['<audio controls preload="none" src=".//example.invalid/x.wav">', false],
    ['<audio controls preload="none" src="./x.wav" onplay="alert(1)">', false],
    ['<audio controls preload="none" src="./x.wav">\n<b>', false],
  ] as const)
    it(`${kept ? 'leaves' : 'shows as text'} the player ${JSON.stringify(html)}`, () => {
      const shown = kept ? usual : html.replaceAll('<', '&lt;');
      assert.equal(render('mcp-workbench', 'html_inline', html), shown);
    });

  it('lets a player read the length of a sound beside it in the documents of results, never from a server', () => {
    const player = '<audio controls preload="metadata" src="./audio-1.wav">';
    for (const scheme of [reportScheme, inputScheme])
      assert.equal(render(scheme, 'html_inline', player), usual);
    assert.notEqual(render(resourceScheme, 'html_inline', player), usual);
  });

  for (const [href, kept] of [
    ['https://example.com', true],
    ['#part', true],
    ['other.md', true],
    ['command:workbench.action.quit', false],
    ['vscode://settings', false],
    ['file:///etc/passwd', false],
    ['javascript:alert(1)', false],
  ] as const)
    it(`${kept ? 'leaves' : 'disarms'} a link to ${href}`, () => {
      const attributes = { href };
      assert.equal(render('mcp-workbench', 'link_open', '', attributes), usual);
      assert.equal(attributes.href, kept ? href : '#');
    });
});
