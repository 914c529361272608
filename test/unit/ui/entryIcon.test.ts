import assert from 'node:assert/strict';
import { iconImages } from '../../../src/ui/entryIcon';
import { makePng } from '../../fixtures/demoServer/resources/media';

const png = makePng();
const hex = (text: string) => Buffer.from(text.replaceAll(' ', '').padEnd(96, '0'), 'hex');
const data = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString('base64')}`;
const good = data('image/png', png);

const jpeg = (size: string) =>
  hex(`ffd8 ffe0 0010 4a46494600 0101 00 0048 0048 0000 ffc4 0004 ffff ffc2 0011 08 ${size} 03`);
const webp = (chunk: string) => hex(`52494646 24000000 57454250 ${chunk}`);

describe('the icons of entries', () => {
  const shown: readonly (readonly [string, string])[] = [
    ['a PNG', good],
    ['a JPEG', data('image/jpeg', jpeg('0010 0010'))],
    ['a JPEG under its other name', data('image/jpg', jpeg('0010 0010'))],
    ['a WebP', data('image/webp', webp('56503820 18000000 300100 9d012a 1000 1000'))],
    ['a lossless WebP', data('image/webp', webp('5650384c 18000000 2f 0fc00300'))],
    ['an extended WebP', data('image/webp', webp('56503858 0a000000 10000000 0f0000 0f0000'))],
  ];
  for (const [name, src] of shown)
    it(`are shown as ${name}`, () =>
      assert.deepEqual(iconImages([{ src }]), { light: src, dark: src }));

  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'.padEnd(64));
  const refused: readonly (readonly [string, string])[] = [
    ['an address', 'https://example.com/icon.png'],
    ['an address without encryption', 'http://localhost/icon.png'],
    ['a file', 'file:///etc/icon.png'],
    ['a command', 'command:workbench.action.quit'],
    ['a theme icon', '$(lock)'],
    ['an SVG, which can hold code', data('image/svg+xml', svg)],
    ['an SVG that says to be a PNG', data('image/png', svg)],
    ['a PNG that says to be an SVG', data('image/svg+xml', png)],
    ['a PNG that says to be a JPEG', data('image/jpeg', png)],
    ['a GIF', data('image/gif', hex('474946383961 1000 1000'))],
    ['a page', data('text/html', png)],
    ['an image of a type with a parameter', data('image/png;charset=x', png)],
    ['an image that is not in base64', `data:image/png,${png.toString('latin1')}`],
    ['a text that leads out of a style sheet', `${good}') ; background: url('https://example.com`],
    ['an image in broken base64', 'data:image/png;base64,iVBORw0KGgoAAAAN='],
    ['nothing', 'data:image/png;base64,'],
    ['an image that is cut off', data('image/png', png.subarray(0, 20))],
    ['a long image', data('image/png', Buffer.concat([png, Buffer.alloc(64 * 1024)]))],
    ['a PNG of many pixels in few bytes', data('image/png', pngOf(60_000, 60_000))],
    ['a PNG that is very wide', data('image/png', pngOf(1025, 1))],
    ['a JPEG of many pixels', data('image/jpeg', jpeg('0010 ffff'))],
    ['a JPEG of no size', data('image/jpeg', hex('ffd8 ffe0 0010'))],
    [
      'a WebP of many pixels',
      data('image/webp', webp('56503820 18000000 300100 9d012a ff3f 1000')),
    ],
    ['a lossless WebP of many pixels', data('image/webp', webp('5650384c 18000000 2f ffffff0f'))],
    [
      'an extended WebP of many pixels',
      data('image/webp', webp('56503858 0a000000 10000000 0f0000 ffff0f')),
    ],
    ['a WebP of another kind', data('image/webp', webp('41424344'))],
  ];
  for (const [name, src] of refused)
    it(`are not shown as ${name}`, () => assert.equal(iconImages([{ src }]), undefined));

  it('are the first that can be shown', () => {
    const icons = [{ src: 'https://example.com/a.png' }, { src: good }];
    assert.deepEqual(iconImages(icons), { light: good, dark: good });
    assert.equal(iconImages([]), undefined);
    assert.equal(iconImages(), undefined);
  });

  it('fit the color theme where there is one for it', () => {
    const [light, dark, both] = [8, 9, 10].map((side) => data('image/png', makePng(side, side)));
    assert.ok(light && dark && both);
    const [forLight, forDark] = [
      { src: light, theme: 'light' },
      { src: dark, theme: 'dark' },
    ] as const;
    assert.deepEqual(iconImages([forDark, forLight, { src: both }]), { light, dark });
    assert.deepEqual(iconImages([forDark, { src: both }]), { light: both, dark });
    assert.deepEqual(iconImages([forDark]), { light: dark, dark });
  });
});

/** Returns a PNG whose header claims this size. */
function pngOf(width: number, height: number): Buffer {
  const bytes = Buffer.from(png);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}
