import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import { UserError } from '../../base/errors';
import { isRecord } from '../../base/json';
import type { AppOpener } from '../../contracts/toolApps';
import type { Servers } from '../../mcp/servers';
import { registerCommands } from '../../ui/commands';
import { Command } from '../../ui/ids';
import type { Logs } from '../../ui/logs';
import type { Questions } from '../../ui/questions/questions';
import type { AskFilter } from '../../ui/rows/filterBox';
import type { WaitingQuestions } from '../../ui/rows/nextSteps';
import type { TreeNode } from '../../ui/tree';
import { compareWithActive, showChanges } from '../documents/compareResources';
import { copyContents, copyUris, readTargets } from './copyResources';
import { type TemplateValues, fillTemplate, templateForm } from './fillTemplate';
import { type TemplateChoice, findResource } from './findResource';
import { type OpeningTurn, openResource, openWith } from '../documents/openResource';
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
import { byUser } from '../../ui/questions/stage';
import { parseResourceUri, toResourceUri } from '../../ui/resourceUri';

/** Attaches documents to the message being written in the chat. */
async function attachDocuments(found: readonly FoundDocument[]): Promise<void> {
  await attachToChat(found.map(attachable), byUser());
}

// The editor silently drops what is named like an image and is not on disk, so it gets another name, and no thumbnail.
function attachable({ uri, document: { name, kind } }: FoundDocument): vscode.Uri {
  const location = kind === 'image' ? parseResourceUri(uri) : undefined;
  return location ? toResourceUri(location, nameAndType(name)).with({ query: uri.query }) : uri;
}

/** Registers the commands for resources; each takes rows or one of our URIs, or asks. */
export function registerResourceCommands(
  deps: RowSources &
    ContentSources & {
      readonly openApp: AppOpener;
      readonly askFilter: AskFilter;
      readonly servers: Servers;
      readonly logs: Logs;
      readonly rows: ResourceRows;
      readonly questions: Pick<Questions, 'ask' | 'once' | 'isAsking' | 'workedElsewhere'> &
        WaitingQuestions;
    },
): Disposable {
  const { servers, logs, store, live, kept, options, rows, questions } = deps;
  const templateValues: TemplateValues = { typed: new Map(), slashes: new Set() };

  let newest = 0;
  const newTurn = (): OpeningTurn => {
    const turn = (newest += 1);
    const begunAt = Date.now();
    return {
      isAway: () => questions.workedElsewhere(begunAt),
      isAsking: () => questions.isAsking,
      isOver: () => turn !== newest,
    };
  };

  const openTemplate = ({ server, template }: TemplateChoice) =>
    questions.once({ server, form: templateForm(template) }, () =>
      fillTemplate(
        server,
        template,
        templateValues,
        async (resource) => {
          await openResource(deps, { server, resource }, newTurn());
          await kept.addResult(server.id, template.uriTemplate, resource);
        },
        questions,
      ),
    );

  const attach = async (targets: readonly ResourceTarget[]) =>
    attachDocuments(await readTargets(deps, targets));

  // If the user finds a template, it is filled in and opened, whichever command was run.
  const find = async (
    title: string,
    run: (targets: readonly ResourceTarget[]) => unknown,
  ): Promise<unknown> => {
    const found = await findResource(deps, title);
    if (!found) return undefined;
    const { choice } = found;
    if ('template' in choice) return openTemplate(choice);
    return found.attach ? attach([choice]) : run([choice]);
  };

  const onAll =
    (title: string, run: (targets: readonly ResourceTarget[]) => unknown) =>
    async (...args: readonly unknown[]): Promise<unknown> => {
      const [first, rest] = args;
      const given = await toTargets(servers, first, rest);
      // The menu of a row that was redrawn in the meantime passes no row, and the active editor is not what was meant.
      if (given.length === 0 && args.length > 0 && first === undefined)
        throw new UserError(vscode.l10n.t('The list has changed meanwhile. Select the row again.'));
      const here = given.length > 0 ? given : await activeTargets(servers);
      return here.length > 0 ? run(here) : find(title, run);
    };

  const onEach = (title: string, run: (target: ResourceTarget) => unknown) =>
    onAll(title, async (targets) => {
      for (const target of targets) await run(target);
    });

  const openAll = async (targets: readonly ResourceTarget[]) => {
    const turn = newTurn();
    for (const target of targets) await openResource(deps, target, turn);
    return true;
  };
  const findAndOpen = () => find(vscode.l10n.t('Open MCP Resource'), openAll);

  const copy = onAll(vscode.l10n.t('Copy Resource URI'), copyUris);

  const setPinned = (pinned: boolean) => async (target: ResourceTarget) =>
    kept.setPinned(target.server.id, target.resource, pinned);

  return registerCommands(logs, {
    [Command.findResource]: findAndOpen,
    [Command.openResource]: async (first?: unknown, rest?: unknown) => {
      const targets = await toTargets(servers, first, rest);
      return targets.length === 0 ? findAndOpen() : openAll(targets);
    },
    [Command.openResourceWith]: onEach(vscode.l10n.t('Open Resource With'), (target) =>
      openWith(deps, target),
    ),
    [Command.attachResource]: onAll(vscode.l10n.t('Attach Resource to Chat'), attach),
    [Command.copyResourceUri]: async (...args: readonly unknown[]) => {
      const [first, rest] = args;
      const isGroup = isFolderNode(first) && (await toTargets(servers, first, rest)).length === 0;
      return isGroup ? vscode.env.clipboard.writeText(first.prefix) : copy(...args);
    },
    [Command.copyResourceContents]: onAll(
      vscode.l10n.t('Copy Resource Contents'),
      async (targets) => copyContents(await readTargets(deps, targets)),
    ),
    [Command.saveResource]: onAll(vscode.l10n.t('Save Resource to Workspace'), async (targets) =>
      saveToWorkspace(await readTargets(deps, targets), deps.writer),
    ),
    [Command.saveResourceAs]: onAll(vscode.l10n.t('Save Resource As'), async (targets) =>
      saveAs(await readTargets(deps, targets), deps.writer),
    ),
    [Command.compareResource]: onEach(vscode.l10n.t('Compare Resource'), (target) =>
      compareWithActive(deps, target),
    ),
    [Command.showResourceChanges]: onEach(vscode.l10n.t('Show Resource Changes'), (target) =>
      showChanges(deps, live, target),
    ),
    [Command.refreshResource]: async (first?: unknown, rest?: unknown) => {
      const targets = await toTargets(servers, first, rest);
      for (const target of targets) store.invalidate(refOf(target));
      if (targets.length === 0 && isRow(first)) await refreshLists(first);
      else if (isRow(first) && first.children) rows.refresh(first);
      else await readTargets(deps, targets.length > 0 ? targets : await activeTargets(servers));
    },
    [Command.pinResource]: onEach(vscode.l10n.t('Pin Resource'), setPinned(true)),
    [Command.unpinResource]: onEach(vscode.l10n.t('Unpin Resource'), setPinned(false)),
    [Command.forgetResource]: onEach(
      vscode.l10n.t('Remove Resource from List'),
      ({ server, resource }) => kept.forget({ serverId: server.id, uri: resource.uri }),
    ),
    [Command.openResourceTemplate]: async (row?: unknown) =>
      isTemplateNode(row) ? openTemplate(row) : findAndOpen(),
    [Command.showMoreResources]: (row: TreeNode) => rows.showMore(row),
    [Command.showResourcesFlat]: () => options.setFlat(true),
    [Command.showResourcesNested]: () => options.setFlat(false),
    [Command.sortResources]: () => pickSort(options),
    [Command.filterResources]: (row?: unknown) =>
      filterResources(options, deps.askFilter, isRow(row) ? row.server : undefined),
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
