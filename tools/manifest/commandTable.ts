import { Command } from '../../src/ui/ids';
import type { CommandRow, MenuEntry } from './commandRow';
import { promptsCommands } from './prompts';
import { resourcesCommands } from './resources';
import { serversCommands } from './servers';
import { toolsCommands } from './tools';

type CommandId = (typeof Command)[keyof typeof Command];

/** Every command: one that has no row, or has two, does not compile. */
const rows: Readonly<Record<CommandId, CommandRow>> = {
  ...serversCommands,
  ...resourcesCommands,
  ...promptsCommands,
  ...toolsCommands,
};

/** The menus of the editor that have our commands, and where a row names its entries. */
const menus = {
  'editor/title': 'tabs',
  'view/item/context': 'rows',
  'view/title': 'views',
  'editor/title/context': 'tabMenus',
  'editor/context': 'texts',
  'explorer/context': 'files',
} as const satisfies Record<string, keyof CommandRow>;

/** Returns what the manifest contributes of commands: themselves, their menus and their keys. */
export function commandContributions() {
  const commands = Object.entries(Command).map(([name, command]) => ({
    name,
    command,
    row: rows[command],
  }));
  const entriesOf = (list: (row: CommandRow) => readonly MenuEntry[] | undefined) =>
    commands.flatMap(({ command, row }) =>
      (list(row) ?? []).map(([when, group]) => ({ command, when, ...(group && { group }) })),
    );
  return {
    commands: commands.map(({ name, command, row: { icon, enablement } }) => ({
      command,
      title: `%command.${name}%`,
      category: 'MCP Workbench',
      ...(icon && { icon }),
      ...(enablement && { enablement }),
    })),
    keybindings: commands.flatMap(({ command, row: { keys = [] } }) =>
      keys.map((key) => ({ command, ...key })),
    ),
    menus: {
      ...Object.fromEntries(
        Object.entries(menus).map(([menu, list]) => [menu, entriesOf((row) => row[list])]),
      ),
      commandPalette: commands.flatMap(({ command, row: { palette } }) =>
        palette === undefined ? [] : [{ command, when: palette || 'false' }],
      ),
    },
  };
}
