import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../../package.json';
import strings from '../../../package.nls.json';
import { listSpecs } from '../../../src/mcp/lists/listSpecs';
import * as ids from '../../../src/ui/ids';
import { repositoryRoot } from '../../support/paths';

const { contributes } = manifest;
const { Command, documentSchemes, Participant, Setting, View } = ids;

function sorted(values: Iterable<string>): string[] {
  return [...new Set(values)].toSorted();
}

/** The most entries in which one is still found at a glance. */
const longestGroup = 12;

/** Commands that ask for something even from their row, or while what they apply to is open. */
const asking: ReadonlySet<string> = new Set([
  Command.turnOnDevelopment,
  Command.checkServer,
  Command.saveAsTest,
  Command.runToolAgainWith,
  Command.disableServer,
  Command.removeServer,
  Command.addServer,
  Command.importServers,
  Command.exportServers,
  Command.exportForTeam,
  Command.manageTrust,
  Command.manageSampling,
  Command.changeInputs,
  Command.clearInputs,
  Command.compareServer,
  Command.runPrompt,
  Command.runPromptWith,
  Command.promptToFile,
  Command.editPromptArguments,
  Command.addRoot,
  Command.findResource,
  Command.openResourceWith,
  Command.otherChoices,
  Command.openResourceTemplate,
  Command.saveResource,
  Command.saveResourceAs,
  Command.sortResources,
  Command.filterResources,
  Command.runTool,
  Command.runToolOnSelection,
  Command.manageToolApprovals,
  Command.filterToolLog,
  Command.exportToolLog,
  Command.replayToolCall,
  Command.sendRequest,
  Command.setLogLevel,
  Command.editRequest,
  Command.exportTraffic,
  Command.saveRecording,
  Command.filterTraffic,
  Command.connectAgent,
  Command.disconnectAgent,
  Command.forgetAgent,
  Command.selectAgentTools,
  Command.selectTools,
  Command.switchToolSet,
  Command.runSkill,
  Command.saveSkill,
  Command.updateServer,
  Command.changeTraceHeaders,
  Command.updateSkill,
  Command.useSkill,
]);

/** Returns every text in a JSON value, except the keys. */
function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(texts);
}

describe('the manifest', () => {
  for (const [what, declared, used] of [
    ['commands', contributes.commands.map(({ command }) => command), Object.values(Command)],
    [
      'settings',
      contributes.configuration.flatMap(({ properties }) => Object.keys(properties)),
      Object.values(Setting),
    ],
    [
      'views',
      [
        ...contributes.viewsContainers.activitybar.map(({ id }) => id),
        ...Object.values(contributes.views).flatMap((views) => views.map(({ id }) => id)),
      ],
      Object.values(View),
    ],
    ['participants', contributes.chatParticipants.map(({ id }) => id), Object.values(Participant)],
  ] as const)
    it(`declares exactly the ${what} that the code knows`, () =>
      assert.deepEqual(sorted(declared), sorted(used)));

  it('has the editor start us for each scheme of our documents, which it restores before anything else', () =>
    assert.deepEqual(sorted(manifest.activationEvents), [
      ...documentSchemes.map((scheme) => `onFileSystem:${scheme}`).toSorted(),
      'onStartupFinished',
    ]));

  it('knows the scheme of everything that serves documents', () => {
    const schemes = new Map(Object.entries<unknown>(ids));
    const served =
      /(?:register(?:FileSystem|TextDocumentContent)Provider|new MemoryFiles)\(\s*(\S+?)[,)]/g;
    const folder = join(repositoryRoot, 'src');
    const used = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(served)])
      .map(([, name = '']) => name);
    // The class for several schemes gets its own from whoever makes it.
    const names = used.filter((name) => name !== 'scheme');
    assert.deepEqual(
      sorted(names.map((name) => String(schemes.get(name)))),
      sorted(documentSchemes),
    );
  });

  it(`has its settings in groups with a title, none of more than ${longestGroup}`, () => {
    const groups = contributes.configuration.map(({ title, properties }) => ({
      title: new Map(Object.entries<string>(strings)).get(title.replaceAll('%', '')),
      count: Object.keys(properties).length,
    }));
    assert.ok(groups.length > 1);
    assert.equal(new Set(groups.map(({ title }) => title)).size, groups.length);
    for (const { title, count } of groups) assert.ok(title && count <= longestGroup, title);
  });

  it('has a welcome text with a way on for each list that may be empty', () => {
    const known = new Map(Object.entries<string>(strings));
    const ways = contributes.viewsWelcome.map(({ view, contents }) => ({
      view,
      hasWay: /\]\(command:/.test(known.get(contents.replaceAll('%', '')) ?? ''),
    }));
    for (const view of [View.servers, View.toolLog, View.traffic])
      assert.ok(
        ways.some((one) => one.view === view && one.hasWay),
        view,
      );
  });

  it('has each button of a row in the menu of the row, too, which is where the keyboard finds it', () => {
    const all: readonly { command: string; group?: string }[] =
      contributes.menus['view/item/context'];
    const commandsOf = (isButton: boolean) =>
      all
        .filter(({ group = '' }) => group.startsWith('inline') === isButton)
        .map(({ command }) => command);
    const inMenus = new Set(commandsOf(false));
    assert.ok(commandsOf(true).length > 10);
    assert.deepEqual(
      commandsOf(true).filter((command) => !inMenus.has(command)),
      [],
    );
  });

  // The editor shows only what fits each of the selected rows: they differ in their state, and there may be rows between.
  for (const command of [
    Command.startServer,
    Command.stopServer,
    Command.restartServer,
    Command.disableServer,
    Command.removeServer,
  ])
    it(`offers on servers of which several are selected, and on other rows only where those are selected with them: ${command}`, () => {
      const inMenu = contributes.menus['view/item/context'].find(
        (item) => item.command === command && !item.group?.startsWith('inline'),
      );
      assert.match(
        inMenu?.when ?? '',
        /^view == mcpWorkbench\.servers && \(viewItem =~ .* \|\| mcpWorkbench\.severalSelected && viewItem =~ \/\^server\\\.\/ \|\| mcpWorkbench\.mixedSelected\)$/,
      );
    });

  for (const kind of Object.keys(listSpecs))
    it(`has a menu on the row above the ${kind} of a server`, () => {
      const offered = contributes.menus['view/item/context'].filter(({ when }) => {
        const [, pattern] = /viewItem =~ \/(.*?)\//.exec(when) ?? [];
        const [, exact] = /viewItem == (\S+)/.exec(when) ?? [];
        const row = `section.${kind}`;
        return exact === row || (pattern !== undefined && new RegExp(pattern).test(row));
      });
      assert.ok(offered.length > 0);
    });

  it('shows the actions above its documents where the user turned them off elsewhere', () => {
    for (const defaults of Object.values(contributes.configurationDefaults))
      assert.equal(defaults['editor.codeLens'], true);
  });

  it('wraps the lines of its documents, and marks nothing that it writes itself there as suspicious', () => {
    const { languages, configurationDefaults } = contributes;
    assert.deepEqual(
      Object.keys(configurationDefaults).toSorted(),
      languages.map(({ id }) => `[${id}]`).toSorted(),
    );
    const translations = ['l10n/bundle.l10n.json', 'l10n/bundle.l10n.zh-cn.json']
      .map((path) => readFileSync(join(repositoryRoot, path), 'utf8'))
      .join('›');
    // Of those in our translations, what the editor takes for another character where its language is not one that has it.
    const suspicious = new Set(translations.match(/[‘’‚–‹›；：，！？（）]/gu));
    assert.ok(suspicious.has('›') && suspicious.has('：'));
    for (const [language, defaults] of Object.entries(configurationDefaults)) {
      assert.equal(defaults['editor.wordWrap'], 'on');
      // What a server sent has none of our words.
      if (!('editor.unicodeHighlight.allowedCharacters' in defaults)) {
        assert.equal(language, '[mcp-result]');
        continue;
      }
      const allowed = defaults['editor.unicodeHighlight.allowedCharacters'];
      assert.deepEqual(
        [...suspicious].filter((character) => !Object.hasOwn(allowed, character)),
        [],
      );
    }
  });

  const { 'editor/title': inTitles, commandPalette } = contributes.menus;
  const choices = contributes.commands.filter(({ command }) =>
    inTitles.some(({ when }) => when === `resource in ${command}.first`),
  );
  for (const { command } of choices)
    it(`offers what answers a document where that can be chosen alone: ${command}`, () => {
      const inPalette = commandPalette.filter((item) => item.command === command);
      assert.deepEqual(inPalette, [{ command, when: `resource in ${command}.offered` }]);
    });

  it('has an answer in the title of a document that says what it does', () => {
    assert.ok(choices.length > 15);
    assert.ok(choices.some(({ command }) => command === Command.trustAndStart));
  });

  it('puts only commands in menus that it declares', () => {
    const known = new Set(contributes.commands.map(({ command }) => command));
    const inMenus = Object.values(contributes.menus).flatMap((items) =>
      items.flatMap((item) => ('command' in item ? item.command : [])),
    );
    assert.deepEqual(
      inMenus.filter((command) => !known.has(command)),
      [],
    );
  });

  it('marks with “…” every command that asks for more, and no other', () => {
    const titles = new Map(Object.entries<string>(strings));
    const marked = contributes.commands.flatMap(({ command, title }) =>
      titles.get(title.replaceAll('%', ''))?.endsWith('…') ? [command] : [],
    );
    assert.deepEqual(sorted(marked), sorted(asking));
  });

  it('links only to commands that it declares, or that show its view', () => {
    const known = new Set([
      ...contributes.commands.map(({ command }) => command),
      ...Object.values(View).map((view) => `${view}.focus`),
    ]);
    const links = texts(strings).flatMap((text) =>
      Array.from(text.matchAll(/\(command:([\w.]+)/g), ([, command = '']) => command),
    );
    assert.ok(links.length > 0);
    assert.deepEqual(
      links.filter((command) => !known.has(command)),
      [],
    );
  });

  it('has no back-ticks in welcome views, which show them as they are', () => {
    const views = Object.entries<string>(strings).filter(([key]) => key.startsWith('welcome.'));
    assert.ok(views.length > 1);
    for (const [, text] of views) assert.ok(!text.includes('`'), text);
  });

  it('has what a marketplace asks for', () => {
    assert.ok(manifest.keywords.length <= 5);
    assert.match(manifest.galleryBanner.color, /^#[\da-f]{6}$/);
    assert.equal(manifest.qna, 'marketplace');
  });

  it('has a text for every placeholder and a placeholder for every text', () => {
    const used = texts(manifest).flatMap((text) => /^%(.+)%$/.exec(text)?.[1] ?? []);
    assert.deepEqual(sorted(used), sorted(Object.keys(strings)));
  });
});
