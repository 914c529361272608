import { join } from 'node:path';
import manifest from '../../package.json';
import english from '../../package.nls.json';
import { Setting } from '../../src/ui/ids';
import { settingRules } from '../../src/ui/settings/settingRules';
import { repositoryRoot } from '../../test/support/paths';
import { filesOf, readTexts, type Texts } from './languages';

interface Property {
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly markdownDescription?: string;
  readonly markdownEnumDescriptions?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly items?: Pick<Property, 'enum' | 'markdownEnumDescriptions' | 'enumDescriptions'>;
}

interface Words {
  readonly title: string;
  readonly lead: string;
  readonly defaultValue: string;
  readonly changed: string;
  readonly columns: string;
  /** What each reach of a rule means for the settings that a repository brings along. */
  readonly reaches: Readonly<Record<'user' | 'tightens' | 'asked' | 'free' | 'place', string>>;
}

/** The fixed texts by language; a page in another language needs an entry here. */
const words: Readonly<Record<string, Words>> = {
  en: {
    title: 'Settings',
    lead: 'Written from the manifest by `npm run docs`. What a workspace can change is enforced when a setting is read, wherever its value came from.',
    defaultValue: 'Default: ',
    changed: 'What a workspace can change: ',
    columns: '| Value | Meaning |',
    reaches: {
      user: 'nothing: only your own value counts',
      tightens: 'it can only make this stricter',
      asked: 'what it adds is asked about once',
      place: 'what it says of servers that are configured in it: nothing runs by it alone',
      free: 'anything: nothing runs by it alone',
    },
  },
  'zh-cn': {
    title: '设置',
    lead: '由 `npm run docs` 根据清单写成。工作区能更改什么，在读取设置时强制执行，无论值来自哪里。',
    defaultValue: '默认值：',
    changed: '工作区能更改什么：',
    columns: '| 值 | 含义 |',
    reaches: {
      user: '不能更改：只有你自己的值有效',
      tightens: '只能让它更严格',
      asked: '它添加的内容会询问一次',
      place: '只能更改在其中配置的服务器：仅凭它不会运行任何内容',
      free: '任意：仅凭它不会运行任何内容',
    },
  },
};

/** What a settings page is written with. */
interface Language {
  readonly words: Words;
  readonly texts: Texts;
}

/** Returns the settings pages by file path, generated from the manifest and the rules, before they are formatted. */
export function settingsPages(): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(words).map(([name, own]) => {
      const isEnglish = name === 'en';
      const path = join(repositoryRoot, 'docs', ...(isEnglish ? [] : [name]), 'settings.md');
      const texts = isEnglish ? english : readTexts(filesOf(name).manifest);
      return [path, settingsPage({ words: own, texts })];
    }),
  );
}

function settingsPage(language: Language): string {
  const sections = manifest.contributes.configuration.flatMap(({ title, properties }) => [
    `## ${translated(title, language)}`,
    ...Object.entries(properties).map(([key, property]) => section(key, property, language)),
  ]);
  return [`# ${language.words.title}`, language.words.lead, ...sections].join('\n\n');
}

function section(key: string, property: Property, language: Language): string {
  const rule = Object.entries(settingRules).find(([name]) => name === key)?.[1];
  const { defaultValue, changed, reaches } = language.words;
  return [
    `### \`${key}\``,
    links(translated(property.markdownDescription ?? property.description ?? '', language)),
    ...values(property.items ?? property, language),
    [
      `- ${defaultValue}\`${JSON.stringify(property.default)}\``,
      ...(rule === undefined ? [] : [`- ${changed}${reaches[rule.reach]}`]),
    ].join('\n'),
  ].join('\n\n');
}

function values(
  { enum: allowed, markdownEnumDescriptions, enumDescriptions }: Property,
  language: Language,
): string[] {
  const descriptions = markdownEnumDescriptions ?? enumDescriptions ?? [];
  if (allowed === undefined) return [];
  const rows = allowed.map(
    (value, index) =>
      `| \`${String(value)}\` | ${links(translated(descriptions[index] ?? '', language))} |`,
  );
  return [[language.words.columns, '| --- | --- |', ...rows].join('\n')];
}

function translated(text: string, { texts }: Language): string {
  const key = /^%(.+)%$/.exec(text)?.[1];
  const found = Object.entries(texts).find(([name]) => name === key)?.[1];
  return found ?? text;
}

/** Turns mentions of other settings, written the way the settings editor links them, into links within the page. */
function links(text: string): string {
  const keys = new Set<string>(Object.values(Setting));
  return text.replaceAll(/`#([\w.]+)#`/g, (whole, key: string) =>
    keys.has(key) ? `[\`${key}\`](#${key.toLowerCase().replaceAll('.', '')})` : whole,
  );
}
