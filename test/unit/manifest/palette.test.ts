import assert from 'node:assert/strict';
import manifest from '../../../package.json';
import {
  AppWebview,
  Command,
  ContextKey,
  Setting,
  View,
  walkthroughKey,
} from '../../../src/ui/ids';

const maxForStrangers = 20;

/** True if a `when` clause holds while no context key is set; supports only the syntax used in the manifest. */
function holdsWithoutKeys(when: string): boolean {
  return when.split('||').some((either) =>
    either.split('&&').every((part) => {
      const term = part.trim();
      if (term === 'true') return true;
      return term.startsWith('!') || / (?:!=|not in) /.test(term);
    }),
  );
}

/** Returns the conditions under which the palette offers a command. */
function conditionsOf(command: string): readonly string[] {
  return manifest.contributes.menus.commandPalette.flatMap((item) =>
    item.command === command ? [item.when] : [],
  );
}

describe('the palette of a stranger', () => {
  const offered = manifest.contributes.commands
    .map(({ command }) => command)
    .filter((command) => conditionsOf(command).every(holdsWithoutKeys));

  it(`has at most ${maxForStrangers} of our commands with nothing configured`, () =>
    assert.ok(offered.length <= maxForStrangers, offered.join('\n')));

  it('has all that leads to a first server', () => {
    const first = [Command.addServer, Command.importServers, Command.tryDemo];
    for (const command of [...first, Command.openWalkthrough])
      assert.ok(offered.includes(command), command);
  });

  it('has no command that needs a server', () => {
    const needy = [Command.startServer, Command.runPrompt, Command.findResource, Command.runTool];
    assert.deepEqual(
      offered.filter((command) => (needy as readonly string[]).includes(command)),
      [],
    );
  });

  it('has no command that is for a row alone', () =>
    assert.deepEqual(conditionsOf(Command.addPromptToPalette), ['false']));

  for (const [when, holds] of [
    ['a', false],
    ['!a', true],
    ['a && !b', false],
    ['!a && !b', true],
    ['a || !b', true],
    ['a == b', false],
    ['a != b', true],
    ['a in b', false],
    ['false', false],
  ] as const)
    it(`is counted right: ${when} ${holds ? 'holds' : 'does not hold'}`, () =>
      assert.equal(holdsWithoutKeys(when), holds));
});

describe('a condition of the manifest', () => {
  it('asks only for context keys that the code sets', () => {
    const ids = [Command, ContextKey, Setting, View].flatMap((one) => Object.values<string>(one));
    const known = new Set([...ids, AppWebview, walkthroughKey]);
    const conditions = JSON.stringify(manifest.contributes).matchAll(
      /"when":"((?:\\.|[^"])*)"|onContext:([\w.]+)/g,
    );
    const keys = Array.from(conditions, ([, when = '', key = '']) => `${when} ${key}`).flatMap(
      (text) => text.match(/mcpWorkbench\.\w+/g) ?? [],
    );
    assert.ok(keys.length > 20);
    assert.deepEqual(
      [...new Set(keys)].filter((key) => !known.has(key)),
      [],
    );
  });

  it('that is about files of a disk holds of those where the window is connected to, too', () => {
    const whens = Array.from(
      JSON.stringify(manifest.contributes).matchAll(/"when":"((?:\\.|[^"])*)"/g),
      ([, when = '']) => when,
    );
    const ofDisk = whens.filter((when) => /Scheme (?:==|=~) \S*file\b/.test(when));
    assert.ok(ofDisk.length > 0);
    assert.deepEqual(
      ofDisk.filter((when) => !when.includes('Scheme =~ /^(file|vscode-remote)$/')),
      [],
    );
  });
});
