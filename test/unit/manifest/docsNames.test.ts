import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../../package.json';
import { repositoryRoot } from '../../support/paths';
import { filesOf, languages, readTexts } from '../../../tools/docs/languages';
import * as ids from '../../../src/ui/ids';

/** Names from the editor or another chat. */
const othersNames: ReadonlySet<string> = new Set([
  'Copilot',
  'Go to Definition',
  'Go to Implementations',
  'Local',
  'MCP: List Servers',
  'New Copilot Session',
  'Stop',
  '停止',
]);
/** Terms that are emphasized where they are explained, but are not names. */
const explained: ReadonlySet<string> = new Set(['MCP Workbench Prompts', '客户端']);

/** Written by the tests, with names from servers. */
const generated = 'hostile-servers.md';

const pagesOf = (readme: string, folder: string) => [
  readme,
  ...readdirSync(join(repositoryRoot, folder))
    .filter((name) => name.endsWith('.md') && name !== generated)
    .map((name) => `${folder}/${name}`),
];

const inLanguages = [
  {
    pages: pagesOf('README.md', 'docs'),
    texts: [
      ...Object.values(readTexts(join(repositoryRoot, 'package.nls.json'))),
      ...Object.values(readTexts(join(repositoryRoot, 'l10n', 'bundle.l10n.json'))),
    ],
  },
  ...languages().map((language) => ({
    pages: pagesOf(`README.${language}.md`, `docs/${language}`),
    texts: Object.values(filesOf(language)).flatMap((path) => Object.values(readTexts(path))),
  })),
];

/** Returns a check for texts of the product, with anything in place of their placeholders. */
function textsMatch(texts: readonly string[]): (name: string) => boolean {
  const whole = new Set(texts);
  const filledIn = texts.flatMap((text) => {
    const parts = text.split(/\{\d\}/);
    return parts.length > 1 ? [[parts[0] ?? '', parts.at(-1) ?? ''] as const] : [];
  });
  const fits = (name: string) =>
    filledIn.some(([start, end]) => start !== '' && name.startsWith(start) && name.endsWith(end));
  return (name) => whole.has(name) || fits(name);
}

describe('docs: what a page names', () => {
  const known: ReadonlySet<string> = new Set(
    JSON.stringify([manifest, ids]).match(/\bmcpWorkbench(?:\.\w+)+/g),
  );

  for (const { pages, texts } of inLanguages) {
    const matches = textsMatch(texts);
    for (const page of pages) {
      const text = readFileSync(join(repositoryRoot, page), 'utf8');

      it(`is called so by the product: ${page}`, () => {
        const prose = text.replaceAll(/^```[^]*?^```/gm, '').replaceAll(/`[^`]*`/g, '');
        const names = Array.from(prose.matchAll(/(?<![\w*])_([^_\n]+(?:\n[^_\n]+)?)_(?!\w)/g)).map(
          ([, name = '']) => name.replaceAll(/\s+/g, ' '),
        );
        const unknown = names.filter(
          (name) =>
            !/^[\p{Ll}\d]/u.test(name) &&
            !othersNames.has(name) &&
            !explained.has(name) &&
            !matches(name),
        );
        assert.deepEqual(unknown, []);
      });

      it(`is a setting or a command that there is: ${page}`, () => {
        const named = text.match(/\bmcpWorkbench(?:\.\w+)+/g) ?? [];
        assert.deepEqual(
          named.filter((id) => !known.has(id)),
          [],
        );
      });
    }
  }
});
