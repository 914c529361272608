import * as vscode from 'vscode';
import { neverAborted } from '../../base/abort';
import type { Disposable } from '../../base/disposable';
import { UserError } from '../../base/errors';
import { isRecord } from '../../base/json';
import type { Servers } from '../../mcp/servers';
import { registerCommands } from '../../ui/commands';
import { Command } from '../../ui/ids';
import type { UserAction, KeyboardLeave } from '../../ui/questions/question';
import type { Logs } from '../../ui/logs';
import type { Questions } from '../../ui/questions/questions';
import type { AskFilter } from '../../ui/rows/filterBox';
import type { WaitingQuestions } from '../../ui/rows/nextSteps';
import type { TreeNode } from '../../ui/tree';
import { compareWithActive, showChanges } from '../documents/compareResources';
import { copyContents, copyUris, readTargets } from './copyResources';
import { type TemplateValues, fillTemplate, templateForm } from './fillTemplate';
import { type TemplateChoice, findResource } from './findResource';
import {
  type AppOpener,
  type OpeningTurn,
  openResource,
  openWith,
} from '../documents/openResource';
import type { ContentSources, FoundDocument } from '../readTarget';
import type { ResourceRows } from '../tree/resourceRows';
import type { RowSources } from '../tree/rowMaker';
import { saveAs, saveToWorkspace } from './saveResources';
import { type ResourceTarget, activeTargets, refOf, toTargets } from '../targets';
import { isFolderNode } from '../tree/resourceNodes';
import { isTemplateNode } from '../tree/templateRows';
import { filterResources, pickSort } from '../tree/viewCommands';
import { nameAndType } from '../../base/text/fileName';
import { attachToChat } from '../../ui/editorChat';
import { parseResourceUri, toResourceUri } from '../../ui/resourceUri';

/** Attaches documents to the message being written in the chat. */
async function attachDocuments(
  found: readonly FoundDocument[],
  leave: KeyboardLeave,
): Promise<void> {
  await attachToChat(found.map(attachable), leave);
}

// The editor silently drops what is named like an image and is not on disk, so it gets another name, and no thumbnail.
function attachable({ uri, document: { name, kind } }: FoundDocument): vscode.Uri {
  const location = kind === 'image' ? parseResourceUri(uri) : undefined;
  return location ? toResourceUri(location, nameAndType(name)).with({ query: uri.query }) : uri;
}

type Run = (targets: readonly ResourceTarget[], action: UserAction) => unknown;

/** Registers the commands for resources; each takes rows or one of our URIs, or asks. */
export function registerResourceCommands(
  deps: RowSources &
    ContentSources & {
      readonly openApp: AppOpener;
      readonly askFilter: AskFilter;
      readonly servers: Servers;
      readonly logs: Logs;
      readonly rows: ResourceRows;
      readonly questions: Pick<
        Questions,
        'ask' | 'once' | 'isAsking' | 'workedElsewhere' | 'stillBy' | 'untilFree' | 'untilLeave'
      > &
        WaitingQuestions;
    },
): Disposable {
  const { servers, logs, store, live, kept, options, rows, questions } = deps;
  const templateValues: TemplateValues = { typed: new Map(), slashes: new Set() };

  let newest = 0;
  const newTurn = (action: UserAction): OpeningTurn => {
    const turn = (newest += 1);
    return {
      action,
      isAway: () => questions.workedElsewhere(action.at),
      isAsking: () => questions.isAsking,
      isOver: () => turn !== newest,
    };
  };

  const openTemplate = ({ server, template }: TemplateChoice, action: UserAction) =>
    questions.once({ server, form: templateForm(template) }, () =>
      fillTemplate(
        server,
        template,
        templateValues,
        async (resource, by) => {
          await openResource(deps, { server, resource }, newTurn(by));
          await kept.addResult(server.id, template.uriTemplate, resource);
        },
        { action, questions },
      ),
    );

  const attach = async (targets: readonly ResourceTarget[], action: UserAction) => {
    const found = await readTargets(deps, targets, action);
    // What takes a server long is attached in the next pause.
    const still = questions.workedElsewhere(action.at) ? undefined : action;
    await attachDocuments(found, still ?? (await questions.untilLeave(neverAborted())));
  };

  // If the user finds a template, it is filled in and opened, whichever command was run.
  const find = async (title: string, run: Run, action: UserAction): Promise<unknown> => {
    const found = await findResource(action, deps, title);
    if (!found) return undefined;
    const { choice } = found;
    if ('template' in choice) return openTemplate(choice, action);
    return found.attach ? attach([choice], action) : run([choice], action);
  };

  const onAll =
    (title: string, run: Run) =>
    async (action: UserAction, ...args: readonly unknown[]): Promise<unknown> => {
      const [first, rest] = args;
      const given = await toTargets(servers, first, rest);
      // The menu of a row that was redrawn in the meantime passes no row, and the active editor is not what was meant.
      if (given.length === 0 && args.length > 0 && first === undefined)
        throw new UserError(vscode.l10n.t('The list has changed meanwhile. Select the row again.'));
      const here = given.length > 0 ? given : await activeTargets(servers);
      return here.length > 0 ? run(here, action) : find(title, run, action);
    };

  const onEach = (title: string, run: (target: ResourceTarget, action: UserAction) => unknown) =>
    onAll(title, async (targets, action) => {
      for (const target of targets) await run(target, action);
    });

  const openAll = async (targets: readonly ResourceTarget[], action: UserAction) => {
    const turn = newTurn(action);
    for (const target of targets) await openResource(deps, target, turn);
    return true;
  };
  const findAndOpen = (action: UserAction) =>
    find(vscode.l10n.t('Open MCP Resource'), openAll, action);

  const copy = onAll(vscode.l10n.t('Copy Resource URI'), copyUris);

  const setPinned = (pinned: boolean) => async (target: ResourceTarget) =>
    kept.setPinned(target.server.id, target.resource, pinned);

  return registerCommands(logs, {
    [Command.findResource]: findAndOpen,
    [Command.openResource]: async (action: UserAction, first?: unknown, rest?: unknown) => {
      const targets = await toTargets(servers, first, rest);
      return targets.length === 0 ? findAndOpen(action) : openAll(targets, action);
    },
    [Command.openResourceWith]: onEach(vscode.l10n.t('Open Resource With'), (target, action) =>
      openWith(deps, target, action),
    ),
    [Command.attachResource]: onAll(vscode.l10n.t('Attach Resource to Chat'), attach),
    [Command.copyResourceUri]: async (action: UserAction, ...args: readonly unknown[]) => {
      const [first, rest] = args;
      const isGroup = isFolderNode(first) && (await toTargets(servers, first, rest)).length === 0;
      return isGroup ? vscode.env.clipboard.writeText(first.prefix) : copy(action, ...args);
    },
    [Command.copyResourceContents]: onAll(
      vscode.l10n.t('Copy Resource Contents'),
      async (targets, action) => copyContents(await readTargets(deps, targets, action)),
    ),
    [Command.saveResource]: onAll(
      vscode.l10n.t('Save Resource to Workspace'),
      async (targets, action) =>
        saveToWorkspace(await readTargets(deps, targets, action), { ...deps, action }),
    ),
    [Command.saveResourceAs]: onAll(vscode.l10n.t('Save Resource As'), async (targets, action) =>
      saveAs(await readTargets(deps, targets, action), { ...deps, action }),
    ),
    [Command.compareResource]: onEach(vscode.l10n.t('Compare Resource'), (target, action) =>
      compareWithActive(deps, target, action),
    ),
    [Command.showResourceChanges]: onEach(
      vscode.l10n.t('Show Resource Changes'),
      (target, action) => showChanges(deps, live, target, action),
    ),
    [Command.refreshResource]: async (action: UserAction, first?: unknown, rest?: unknown) => {
      const targets = await toTargets(servers, first, rest);
      for (const target of targets) store.invalidate(refOf(target));
      if (targets.length === 0 && isRow(first)) await refreshLists(first);
      else if (isRow(first) && first.children) rows.refresh(first);
      else {
        const those = targets.length > 0 ? targets : await activeTargets(servers);
        await readTargets(deps, those, action);
      }
    },
    [Command.pinResource]: onEach(vscode.l10n.t('Pin Resource'), setPinned(true)),
    [Command.unpinResource]: onEach(vscode.l10n.t('Unpin Resource'), setPinned(false)),
    [Command.forgetResource]: onEach(
      vscode.l10n.t('Remove Resource from List'),
      ({ server, resource }) => kept.forget({ serverId: server.id, uri: resource.uri }),
    ),
    [Command.openResourceTemplate]: async (action: UserAction, row?: unknown) =>
      isTemplateNode(row) ? openTemplate(row, action) : findAndOpen(action),
    [Command.showMoreResources]: (_action: UserAction, row: TreeNode) => rows.showMore(row),
    [Command.showResourcesFlat]: () => options.setFlat(true),
    [Command.showResourcesNested]: () => options.setFlat(false),
    [Command.sortResources]: (action: UserAction) => pickSort(options, action),
    [Command.filterResources]: (action: UserAction, row?: unknown) =>
      filterResources(action, options, deps.askFilter, isRow(row) ? row.server : undefined),
    [Command.clearResourceFilter]: () => options.setFilter(''),
  });
}

// For the row above all resources of a server.
async function refreshLists({ server }: TreeNode): Promise<void> {
  await Promise.all([server?.resources.refresh(), server?.resourceTemplates.refresh()]);
}

function isRow(value: unknown): value is TreeNode {
  return isRecord(value) && 'item' in value && 'id' in value;
}
