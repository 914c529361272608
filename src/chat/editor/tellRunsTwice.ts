import * as vscode from 'vscode';
import type { Memento } from '../../base/memento';
import { plainLabel } from '../../base/text/text';
import { entryNamed } from '../../mcp/protocol/types';
import type { Server, Servers } from '../../mcp/server';
import { sessionInfo } from '../../mcp/serverState';
import { Setting } from '../../ui/ids';
import { runWithKeyboard } from '../../ui/keyboard';
import { showMessage } from '../../ui/messages';
import type { UserAction } from '../../ui/questions/question';
import { readSetting, updateForUser } from '../../ui/settings/readSetting';

const toldKey = 'runsTwice.told';
const setting = 'chat.mcp.autostart';

/** The editor begins the names of a server's tools with at most this many letters of the server's name. */
const prefixLetters = 13;

/** What the note depends on. */
export interface RunsTwiceDeps {
  readonly servers: Pick<Servers, 'all'>;
  /** True for servers that the editor's own client finds by itself. */
  readonly isOfEditor: (id: string) => boolean;
  /** Outlives the session and is shared by all workspaces. */
  readonly state: Memento;
  /** The names of all tools that models can be offered in this editor. */
  readonly toolNames: () => readonly string[];
}

/**
 * Makes the function to call when a chat has been used: it tells the user, once ever, that the editor's own
 * client has started a server that runs here, too, and lets them decide who runs those servers. Servers that were handed over
 * are meant to run twice.
 */
export function createRunsTwiceNote(deps: RunsTwiceDeps) {
  return async (): Promise<void> => {
    const { servers, isOfEditor, state: memory, toolNames } = deps;
    if (memory.get(toldKey) === true) return;
    const isHandedOver = (id: string) => readSetting(Setting.provideToEditor) && !isOfEditor(id);
    const twice = toolNames()
      .flatMap((name) => {
        const all = servers.all.filter((server) => isToolOf(server, name));
        const own = all.filter(({ id }) => isOfEditor(id));
        // A tool that others here could have as well belongs to the server that the editor finds by itself, if any.
        const [likely, ...others] = own.length > 0 ? own : all;
        return likely && others.length === 0 ? [likely] : [];
      })
      .find(({ id, state }) => state.kind === 'running' && !isHandedOver(id));
    if (!twice) return;
    await memory.update(toldKey, true);
    const { t } = vscode.l10n;
    const ours = t('Let MCP Workbench Run Them');
    const theirs = t('Leave Them to the Editor');
    const pressed = await showMessage(
      'info',
      t(
        '"{0}" runs twice: the editor’s own client starts the servers of mcp.json, too. Let MCP Workbench run them, and the editor starts none by itself ({1}). Or leave them to the editor: then MCP Workbench no longer reads .vscode/mcp.json, and calls there pass neither its confirmation nor its log ({2}).',
        plainLabel(twice.name),
        setting,
        Setting.places,
      ),
      ours,
      ...(isOfEditor(twice.id) ? [theirs] : []),
    );
    if (pressed?.button === ours) await letUsRun(pressed.action);
    if (pressed?.button === theirs) {
      const places = readSetting(Setting.places).filter((place) => place !== 'vscode');
      await updateForUser(Setting.places, places);
    }
  };
}

/** Has the editor start no servers by itself, or shows its setting where that cannot be changed from here. */
async function letUsRun(action: UserAction): Promise<void> {
  try {
    await updateForUser(setting, 'never');
  } catch {
    await runWithKeyboard(action, 'workbench.action.openSettings', `@id:${setting}`);
  }
}

/**
 * True if the editor's own client gives this name to a tool of the server; the name begins with what the server
 * calls itself, once that is known.
 */
function isToolOf({ name, state, tools }: Server, tool: string): boolean {
  const implementation = sessionInfo(state)?.implementation;
  return [name, implementation?.title, implementation?.name].some((label) => {
    if (!label) return false;
    const letters = label.toLowerCase().replaceAll(/[^a-z0-9_.-]+/g, '_');
    const prefix = `mcp_${letters.slice(0, prefixLetters)}_`;
    if (!tool.startsWith(prefix)) return false;
    // A name without Latin letters or digits leaves nothing to compare but the tool.
    return /[a-z0-9]/.test(letters) || entryNamed(tools, tool.slice(prefix.length)) !== undefined;
  });
}
