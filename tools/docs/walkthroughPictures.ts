import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../test/support/paths';
import { filesOf, languages, readTexts, type Texts } from './languages';

const width = 560;
const height = 320;
const line = 26;

const color = (name: string) => `var(--vscode-${name})`;
const colors = {
  text: color('foreground'),
  dim: color('descriptionForeground'),
  accent: color('textLink-foreground'),
  passed: color('testing-iconPassed'),
  panel: color('editorWidget-background'),
  border: color('editorWidget-border'),
  page: color('editor-background'),
  side: color('sideBar-background'),
  chosen: color('list-activeSelectionBackground'),
  onChosen: color('list-activeSelectionForeground'),
  button: color('button-background'),
  onButton: color('button-foreground'),
} as const;

type Color = keyof typeof colors;

interface Row {
  readonly text: string;
  readonly color?: Color;
  readonly indent?: number;
  /** The color of a small circle before the text. */
  readonly dot?: Color;
  readonly isChosen?: boolean;
  readonly isHeading?: boolean;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function box(x: number, y: number, w: number, h: number, fill: Color, stroke?: Color): string {
  const edge = stroke ? ` stroke="${colors[stroke]}"` : '';
  return `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="5" fill="${colors[fill]}"${edge}/>`;
}

function words(x: number, y: number, text: string, fill: Color, size = 13): string {
  return `<text x="${x}" y="${y}" fill="${colors[fill]}" font-size="${size}">${escaped(text)}</text>`;
}

function rowsAt(x: number, y: number, w: number, rows: readonly Row[]): readonly string[] {
  return rows.flatMap((row, index) => {
    const top = y + index * line;
    const left = x + 14 + (row.indent ?? 0) * 20;
    const baseline = top + 17;
    if (row.isHeading) return [words(left, baseline, row.text, 'accent', 11)];
    return [
      ...(row.isChosen ? [box(x + 5, top, w - 10, line - 2, 'chosen')] : []),
      ...(row.dot
        ? [`<circle cx="${left + 4}" cy="${top + 12}" r="4" fill="${colors[row.dot]}"/>`]
        : []),
      words(
        left + (row.dot ? 16 : 0),
        baseline,
        row.text,
        row.isChosen ? 'onChosen' : (row.color ?? 'text'),
      ),
    ];
  });
}

/** Draws a list with a title, like the editor's questions. */
function question(title: string, rows: readonly Row[]): readonly string[] {
  const [x, w] = [10, width - 20];
  const h = 58 + rows.length * line;
  const y = Math.round((height - h) / 2);
  return [
    box(x, y, w, h, 'panel', 'border'),
    words(x + 14, y + 26, title, 'text', 14),
    `<line x1="${x}" y1="${y + 42}" x2="${x + w}" y2="${y + 42}" stroke="${colors.border}"/>`,
    ...rowsAt(x, y + 49, w, rows),
  ];
}

/** Draws a sidebar next to a document. */
function sideAndPage(side: readonly Row[], title: string, page: readonly Row[]): readonly string[] {
  const [left, x] = [236, 256];
  return [
    box(10, 20, left, height - 40, 'side', 'border'),
    ...rowsAt(10, 34, left, side),
    box(x, 20, width - x - 10, height - 40, 'page', 'border'),
    words(x + 14, 44, title, 'accent'),
    `<line x1="${x}" y1="56" x2="${width - 10}" y2="56" stroke="${colors.border}"/>`,
    ...rowsAt(x, 64, width - x - 10, page),
  ];
}

function button(x: number, y: number, w: number, text: string): readonly string[] {
  return [
    box(x, y, w, 28, 'button'),
    `<text x="${x + w / 2}" y="${y + 19}" fill="${colors.onButton}" font-size="13" text-anchor="middle">${escaped(text)}</text>`,
  ];
}

const server = 'MCP Workbench Demo';

/** What each step shows in one language: `t` translates texts of the code, `m` looks up texts of the manifest. */
const pictures: Readonly<
  Record<string, (t: (text: string) => string, m: (key: string) => string) => readonly string[]>
> = {
  servers(t, m) {
    const tree: readonly Row[] = [
      { text: server, dot: 'passed' },
      { text: `${t('Resources')}  3`, indent: 1 },
      { text: `${t('Prompts')}  3`, indent: 1 },
      { text: `${t('Tools')}  3`, indent: 1 },
    ];
    const ways = ['importServers', 'addServer', 'tryDemo'].map((name) => m(`command.${name}`));
    return [
      box(80, 20, 400, height - 40, 'side', 'border'),
      ...rowsAt(80, 34, 400, tree),
      ...ways.flatMap((way, index) => button(110, 168 + index * 40, 340, way)),
    ];
  },
  approval: (t) =>
    question(t('Start "{0}"? It runs this command on your machine.').replace('{0}', server), [
      { text: t('Command line'), isHeading: true },
      { text: 'node demoServer.js' },
      { text: t('Your decision'), isHeading: true },
      { text: t('Not Now'), isChosen: true },
      { text: t('Trust and Start') },
      { text: t('Not for This Workspace') },
    ]),
  prompts: (t) =>
    sideAndPage(
      [
        { text: server, dot: 'passed' },
        { text: t('Prompts'), indent: 1 },
        { text: 'Explain a Term', indent: 2, isChosen: true },
        { text: 'Review Code', indent: 2 },
        { text: 'Summarize the Notebook', indent: 2 },
      ],
      'Explain a Term',
      [
        { text: 'term = tool', color: 'dim' },
        { text: 'Explain "tool" of the Model Context' },
        { text: 'Protocol in three sentences to somebody' },
        { text: 'who is new to it.' },
        { text: '' },
        { text: t('Open in Chat as Draft'), color: 'accent' },
      ],
    ),
  resources: (t) =>
    sideAndPage(
      [
        { text: server, dot: 'passed' },
        { text: t('Resources'), indent: 1 },
        { text: 'Start Here', indent: 2 },
        { text: 'What You Decide', indent: 2 },
        { text: 'Notebook', indent: 2, isChosen: true },
      ],
      'notebook.md',
      [
        { text: '# Notebook', color: 'accent' },
        { text: '- A prompt is a message that' },
        { text: '  somebody has prepared for you.' },
        { text: '- A resource is a document that' },
        { text: '  a server keeps up to date.' },
      ],
    ),
  tools: (t) =>
    question(`${server} › Roll Dice`, [
      { text: 'count: 2' },
      { text: 'sides: 6' },
      { text: t('Deny'), isChosen: true },
      { text: t('Edit Arguments…') },
      { text: t('Allow Once') },
      { text: t('Allow for This Session') },
    ]),
  requests: (t) =>
    question(`${server}: In how many minutes (1/2)`, [
      { text: 'When would you like a break, and what would you like to do?', color: 'dim' },
      { text: '25', isChosen: true },
      { text: t('Decline') },
    ]),
};

function draw(parts: readonly string[]): string {
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif">`;
  return [head, ...parts.map((part) => `  ${part}`), '</svg>', ''].join('\n');
}

function lookUp(texts: Texts): (key: string) => string {
  return (key) => {
    const text = texts[key];
    if (text === undefined) throw new Error(`No text ${key} for the pictures of the walkthrough.`);
    return text;
  };
}

/** Draws the pictures of the walkthrough in every language, by path relative to the repository. */
export function walkthroughPictures(): ReadonlyMap<string, string> {
  const english = {
    code: join(repositoryRoot, 'l10n', 'bundle.l10n.json'),
    manifest: join(repositoryRoot, 'package.nls.json'),
  };
  const all = [english, ...languages().map(filesOf)].flatMap(({ code, manifest }) => {
    const m = lookUp(readTexts(manifest));
    const t = lookUp(readTexts(code));
    return Object.entries(pictures).map(
      ([name, parts]) => [m(`walkthrough.${name}.picture`), draw(parts(t, m))] as const,
    );
  });
  return new Map(all);
}

/** Reads a picture as it was last written. */
export function writtenPicture(path: string): string {
  return readFileSync(join(repositoryRoot, path), 'utf8');
}
