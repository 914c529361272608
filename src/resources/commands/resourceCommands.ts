import * as vscode from 'vscode';
import { neverAborted } from '../../base/async';
import type { Disposable } from '../../base/disposable';
import { UserError } from '../../base/errors';
import { isRecord } from '../../base/json';
import type { Servers } from '../../mcp/server';
import { registerCommands } from '../../ui/commands';
import { Command } from '../../ui/ids';
import type { KeyboardPermit, UserAction } from '../../ui/questions/question';
import type { Logs } from '../../ui/logs';
import type { Questions } from '../../ui/questions/questions';
import type { AskFilter } from '../../ui/rows/filterBox';
import type { TreeNode } from '../../ui/tree';
import { copyContents, copyUris, readTargets } from './copyResources';
import { type TemplateValues, fillTemplate, templateForm } from './fillTemplate';
import { type TemplateChoice, findResource } from './findResource';
import {
  type ContentSources,
  type OpeningTurn,
  openResource,
  openWith,
  pickDocuments,
  readTarget,
} from '../documents/openResource';
import type { FoundDocument } from '../documents/resourceDocument';
import type { ResourceSection } from '../tree/resourceSection';
import type { NodeSources } from '../tree/nodeBuilder';
import { saveAs, saveToWorkspace } from './saveResources';
import { type ResourceTarget, activeTargets, refOf, toTargets } from '../targets';
import { isFolderNode } from '../tree/resourceNodes';
import { isTemplateNode } from '../tree/templateSection';
import { filterResources, pickSort } from '../tree/viewCommands';
import { nameAndType } from '../../base/text/fileName';
import { attachToChat } from '../../ui/editorChat';
import { parseResourceUri, toResourceUri, toVariantUri } from '../../ui/resourceUri';
import { sameBytes } from '../../base/bytes';
import { plainLabel } from '../../base/text/text';
import { displayName } from '../../mcp/protocol/types';
import type { LiveResources } from '../live/liveResources';
import { showDiff } from '../../ui/keyboard';
import { copyAddresses } from '../../ui/clipboard';
import type { Apps } from '../../contracts/toolApps';

/** Shows what changed in a resource since the previous reading, and clears its mark; throws a `UserError` if nothing did. */
async function showChanges(
  sources: ContentSources,
  live: LiveResources,
  target: ResourceTarget,
  action: UserAction,
): Promise<void> {
  const label = plainLabel(displayName(target.resource), 60);
  const before = sources.store.peek(refOf(target))?.previous?.documents;
  if (!before)
    throw new UserError(vscode.l10n.t('{0} has not changed since it was opened.', label));
  const { shown: _, ...whole } = target;
  const found = await readTarget(sources, whole, action);
  const known = new Map(before.map((one) => [one.name, one.bytes]));
  const changed = found.filter(({ document: { name, bytes } }) => {
    const was = known.get(name);
    return was === undefined || !sameBytes(was, bytes);
  });
  const chosen =
    changed.length > 1 ? await pickDocuments(sources, action, changed, target) : changed;
  for (const { uri, document } of chosen) {
    const title = vscode.l10n.t('{0} (before ↔ now)', document.name);
    const permit = sources.questions.stillBy(action, target.server.id);
    await showDiff([toVariantUri(uri, 'previous'), uri], title, permit);
  }
  if (chosen.length > 0) live.clear(refOf(target));
}

/** Compares a resource with the file in the active editor; throws a `UserError` if there is no such file. */
async function compareWithActive(
  sources: ContentSources,
  target: ResourceTarget,
  action: UserAction,
): Promise<void> {
  const active = vscode.window.activeTextEditor?.document.uri;
  const found = await readTarget(sources, target, action);
  if (!active || found.some(({ uri }) => uri.toString() === active.toString()))
    throw new UserError(vscode.l10n.t('Open the file to compare with in an editor first.'));
  const chosen = found.length > 1 ? await pickDocuments(sources, action, found, target) : found;
  for (const { uri, document } of chosen) {
    const title = `${document.name} ↔ ${nameBeside(active)}`;
    const permit = sources.questions.stillBy(action, target.server.id);
    await showDiff([uri, active], title, permit);
  }
}

/** Returns the name of a resource as in its tab, or the path of any other file in the workspace. */
function nameBeside(uri: vscode.Uri): string {
  const [name = ''] = uri.path.split('/').slice(-1);
  return parseResourceUri(uri) ? name : vscode.workspace.asRelativePath(uri);
}

/** Attaches documents to the message being written in the chat. */
async function attachDocuments(
  found: readonly FoundDocument[],
  permit: KeyboardPermit,
): Promise<void> {
  await attachToChat(found.map(attachable), permit);
}

// The editor silently drops what is named like an image and is not on disk, so it gets another name, and no thumbnail.
function attachable({ uri, document: { name, kind } }: FoundDocument): vscode.Uri {
  const location = kind === 'image' ? parseResourceUri(uri) : undefined;
  return location ? toResourceUri(location, nameAndType(name)).with({ query: uri.query }) : uri;
}

type Run = (targets: readonly ResourceTarget[], action: UserAction) => unknown;

type CommandsDeps = NodeSources &
  ContentSources & {
    readonly apps: Pick<Apps, 'openUri'>;
    readonly askFilter: AskFilter;
    readonly servers: Servers;
    readonly logs: Logs;
    readonly section: ResourceSection;
    readonly questions: Questions;
  };

/** Registers the commands for resources; each takes rows or one of our URIs, or asks. */
export function registerResourceCommands(deps: CommandsDeps): Disposable {
  return new ResourceCommands(deps).register();
}

/** What the commands for resources do. */
class ResourceCommands {
  private readonly deps: CommandsDeps;
  private readonly templateValues: TemplateValues = { typed: new Map(), slashes: new Set() };
  /** The number of the last command that opens something: it ends the turns of those before. */
  private newest = 0;

  constructor(deps: CommandsDeps) {
    this.deps = deps;
  }

  register(): Disposable {
    const { deps } = this;
    const { live, saved, options, section } = deps;
    const { t } = vscode.l10n;
    const setPinned = (pinned: boolean) => async (target: ResourceTarget) =>
      saved.setPinned(target.server.id, target.resource, pinned);
    const found = (targets: readonly ResourceTarget[], action: UserAction) =>
      readTargets(deps, targets, action);
    return registerCommands(deps.logs, {
      [Command.findResource]: (action: UserAction) => this.findAndOpen(action),
      [Command.openResource]: (action: UserAction, first?: unknown, rest?: unknown) =>
        this.open(action, first, rest),
      [Command.openResourceWith]: this.onEach(t('Open Resource With'), (target, action) =>
        openWith(deps, target, action),
      ),
      [Command.attachResource]: this.onAll(t('Attach Resource to Chat'), (targets, action) =>
        this.attach(targets, action),
      ),
      [Command.copyResourceUri]: this.copyUri(),
      [Command.copyResourceContents]: this.onAll(
        t('Copy Resource Contents'),
        async (targets, action) => copyContents(await found(targets, action)),
      ),
      [Command.saveResource]: this.onAll(t('Save Resource to Workspace'), async (targets, action) =>
        saveToWorkspace(await found(targets, action), { ...deps, action }),
      ),
      [Command.saveResourceAs]: this.onAll(t('Save Resource As'), async (targets, action) =>
        saveAs(await found(targets, action), { ...deps, action }),
      ),
      [Command.compareResource]: this.onEach(t('Compare Resource'), (target, action) =>
        compareWithActive(deps, target, action),
      ),
      [Command.showResourceChanges]: this.onEach(t('Show Resource Changes'), (target, action) =>
        showChanges(deps, live, target, action),
      ),
      [Command.refreshResource]: (action: UserAction, first?: unknown, rest?: unknown) =>
        this.refresh(action, first, rest),
      [Command.pinResource]: this.onEach(t('Pin Resource'), setPinned(true)),
      [Command.unpinResource]: this.onEach(t('Unpin Resource'), setPinned(false)),
      [Command.forgetResource]: this.onEach(
        t('Remove Resource from List'),
        ({ server, resource }) => saved.forget({ serverId: server.id, uri: resource.uri }),
      ),
      [Command.openResourceTemplate]: async (action: UserAction, node?: unknown) =>
        isTemplateNode(node) ? this.openTemplate(node, action) : this.findAndOpen(action),
      [Command.showMoreResources]: (_action: UserAction, node: TreeNode) => section.showMore(node),
      [Command.showResourcesFlat]: () => options.setFlat(true),
      [Command.showResourcesNested]: () => options.setFlat(false),
      [Command.sortResources]: (action: UserAction) => pickSort(options, action),
      [Command.filterResources]: (action: UserAction, node?: unknown) =>
        filterResources(action, options, deps.askFilter, isNode(node) ? node.server : undefined),
      [Command.clearResourceFilter]: () => options.setFilter(''),
    });
  }

  /** Makes a command for the given resources, the one in the active editor, or one that the user finds. */
  private onAll(title: string, run: Run) {
    return async (action: UserAction, ...args: readonly unknown[]): Promise<unknown> => {
      const { servers } = this.deps;
      const [first, rest] = args;
      const given = await toTargets(servers, first, rest);
      // The menu of a row that was redrawn in the meantime passes no row, and the active editor is not what was meant.
      if (given.length === 0 && args.length > 0 && first === undefined)
        throw new UserError(vscode.l10n.t('The list has changed meanwhile. Select the row again.'));
      const here = given.length > 0 ? given : await activeTargets(servers);
      return here.length > 0 ? run(here, action) : this.find(title, run, action);
    };
  }

  /** As `onAll`, for a command that takes one resource after the other. */
  private onEach(title: string, run: (target: ResourceTarget, action: UserAction) => unknown) {
    return this.onAll(title, async (targets, action) => {
      for (const target of targets) await run(target, action);
    });
  }

  /** Lets the user find a resource; a template is filled in and opened, whichever command was run. */
  private async find(title: string, run: Run, action: UserAction): Promise<unknown> {
    const found = await findResource(action, this.deps, title);
    if (!found) return undefined;
    const { choice } = found;
    if ('template' in choice) return this.openTemplate(choice, action);
    return found.attach ? this.attach([choice], action) : run([choice], action);
  }

  private findAndOpen(action: UserAction): Promise<unknown> {
    const open: Run = (targets, by) => this.openAll(targets, by);
    return this.find(vscode.l10n.t('Open MCP Resource'), open, action);
  }

  private async open(action: UserAction, first: unknown, rest: unknown): Promise<unknown> {
    const targets = await toTargets(this.deps.servers, first, rest);
    return targets.length === 0 ? this.findAndOpen(action) : this.openAll(targets, action);
  }

  private async openAll(targets: readonly ResourceTarget[], action: UserAction): Promise<true> {
    const turn = this.newTurn(action);
    for (const target of targets) await openResource(this.deps, target, turn);
    return true;
  }

  private openTemplate({ server, template }: TemplateChoice, action: UserAction) {
    const { questions, saved } = this.deps;
    return questions.once({ server, form: templateForm(template) }, () =>
      fillTemplate(
        server,
        template,
        this.templateValues,
        async (resource, by) => {
          await openResource(this.deps, { server, resource }, this.newTurn(by));
          await saved.addResult(server.id, template.uriTemplate, resource);
        },
        { action, questions },
      ),
    );
  }

  private newTurn(action: UserAction): OpeningTurn {
    const { questions } = this.deps;
    const turn = (this.newest += 1);
    return {
      action,
      isAway: () => questions.workedElsewhere(action.at),
      isAsking: () => questions.isAsking,
      isOver: () => turn !== this.newest,
    };
  }

  private async attach(targets: readonly ResourceTarget[], action: UserAction): Promise<void> {
    const { questions } = this.deps;
    const found = await readTargets(this.deps, targets, action);
    // What takes a server long is attached in the next pause.
    const still = questions.workedElsewhere(action.at) ? undefined : action;
    await attachDocuments(found, still ?? (await questions.untilPermitted(neverAborted())));
  }

  /** Makes the command that copies URIs: of a folder of resources, what they begin with. */
  private copyUri() {
    const copy = this.onAll(vscode.l10n.t('Copy Resource URI'), copyUris);
    return async (action: UserAction, ...args: readonly unknown[]): Promise<unknown> => {
      const [first, rest] = args;
      const isGroup =
        isFolderNode(first) && (await toTargets(this.deps.servers, first, rest)).length === 0;
      return isGroup ? copyAddresses(first.prefix) : copy(action, ...args);
    };
  }

  private async refresh(action: UserAction, first: unknown, rest: unknown): Promise<void> {
    const { servers, store, section } = this.deps;
    const targets = await toTargets(servers, first, rest);
    for (const target of targets) store.invalidate(refOf(target));
    if (targets.length === 0 && isNode(first)) await refreshLists(first);
    else if (isNode(first) && first.children) section.refresh(first);
    else {
      const those = targets.length > 0 ? targets : await activeTargets(servers);
      await readTargets(this.deps, those, action);
    }
  }
}

// For the row above all resources of a server.
async function refreshLists({ server }: TreeNode): Promise<void> {
  await Promise.all([server?.resources.refresh(), server?.resourceTemplates.refresh()]);
}

function isNode(value: unknown): value is TreeNode {
  return isRecord(value) && 'item' in value && 'id' in value;
}
