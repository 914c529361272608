import { Command, ContextKey, View } from '../../src/ui/ids';
import {
  serversRow,
  inView,
  leads,
  offers,
  among,
  and,
  or,
  not,
  resourceTab,
  textInFront,
} from './conditions';
import type { CommandRow } from './commandRow';

/** The commands of resources, roots and skills. */
export const resourcesCommands = {
  [Command.useReviewedSkill]: {
    icon: '$(check)',
    palette: offers(Command.useReviewedSkill),
    tabs: [[leads(Command.useReviewedSkill), 'navigation@1']],
  },
  [Command.saveReviewedSkill]: {
    icon: '$(save)',
    palette: offers(Command.saveReviewedSkill),
    tabs: [[leads(Command.saveReviewedSkill), 'navigation@1']],
  },
  [Command.openResource]: {
    icon: '$(go-to-file)',
    palette: false,
    rows: [[serversRow(/^resource\b/), '1_open@1']],
  },
  [Command.runSkill]: {
    icon: '$(play)',
    palette: false,
    rows: [
      [serversRow('skill'), 'inline@1'],
      [serversRow('skill'), '1_skill@1'],
    ],
  },
  [Command.attachSkill]: {
    icon: '$(attach)',
    palette: false,
    rows: [
      [serversRow('skill'), 'inline@2'],
      [serversRow('skill'), '1_skill@2'],
    ],
  },
  [Command.saveSkill]: { palette: false, rows: [[serversRow('skill'), '2_skill@1']] },
  [Command.updateSkill]: { palette: false, rows: [[serversRow('skill'), '2_skill@2']] },
  [Command.useSkill]: { palette: ContextKey.hasServers, rows: [[serversRow('section.skills')]] },
  [Command.attachResource]: {
    icon: '$(attach)',
    palette: resourceTab,
    rows: [
      [serversRow(/^resource\b/), 'inline@2'],
      [serversRow(/^resource(Directory)?\b/), '2_chat@1'],
    ],
    tabs: [[resourceTab, 'navigation@2']],
    tabMenus: [[resourceTab, '2_resource@1']],
  },
  [Command.findResource]: {
    icon: '$(search)',
    palette: or(ContextKey.hasServers, ContextKey.hasFiles),
    views: [[inView(View.servers), 'navigation@5']],
  },
  [Command.openResourceWith]: {
    palette: resourceTab,
    rows: [[serversRow(/^resource\b/), '1_open@2']],
  },
  [Command.openResourceTemplate]: {
    icon: '$(symbol-parameter)',
    palette: false,
    rows: [
      [serversRow('resourceTemplate'), 'inline@1'],
      [serversRow('resourceTemplate'), '1_open@1'],
    ],
  },
  [Command.showResourceChanges]: {
    icon: '$(diff)',
    palette: resourceTab,
    rows: [
      [serversRow(/^resource\b.*\.changed/), 'inline@1'],
      [serversRow(/^resource\b.*\.changed/), '1_open@3'],
    ],
    tabs: [[among(ContextKey.changedResources), 'navigation@1']],
  },
  [Command.compareResource]: {
    palette: and(ContextKey.hasServers, 'resourceScheme != mcp-workbench', textInFront),
    rows: [[serversRow(/^resource\b/, textInFront), '1_open@4']],
  },
  [Command.refreshResource]: {
    icon: '$(refresh)',
    palette: resourceTab,
    rows: [[serversRow(/^(resource(Directory)?\b|section\.resource)/), '6_refresh@1']],
    tabs: [[resourceTab, '2_resource@1']],
  },
  [Command.copyResourceUri]: {
    palette: resourceTab,
    rows: [[serversRow(/^resource(Directory|Folder)?\b/), '3_copy@1']],
    tabs: [[resourceTab, '2_resource@4']],
    tabMenus: [[resourceTab, '2_resource@2']],
  },
  [Command.copyResourceContents]: {
    palette: resourceTab,
    rows: [[serversRow(/^resource\b/), '3_copy@2']],
  },
  [Command.saveResource]: {
    palette: resourceTab,
    rows: [[serversRow(/^resource(Directory)?\b/), '4_save@1']],
    tabs: [[resourceTab, '2_resource@2']],
    tabMenus: [[resourceTab, '2_resource@3']],
  },
  [Command.saveResourceAs]: {
    palette: resourceTab,
    rows: [[serversRow(/^resource(Directory)?\b/), '4_save@2']],
    tabs: [[resourceTab, '2_resource@3']],
  },
  [Command.pinResource]: {
    icon: '$(pin)',
    palette: resourceTab,
    rows: [[serversRow(/^resource\b.*\.loose/), '5_keep@1']],
    tabs: [[resourceTab, '2_resource@5']],
  },
  [Command.unpinResource]: {
    icon: '$(pinned)',
    palette: false,
    rows: [
      [serversRow(/^resource\b.*\.pinned/), 'inline@3'],
      [serversRow(/^resource\b.*\.pinned/), '5_keep@1'],
    ],
  },
  [Command.forgetResource]: {
    palette: false,
    rows: [[serversRow(/^resource\b.*\.remembered/), '5_keep@2']],
  },
  [Command.showMoreResources]: { palette: false },
  [Command.sortResources]: {
    palette: ContextKey.hasServers,
    rows: [[serversRow(/^(resource(Directory|Folder)$|section\.resources$)/), '5_show@2']],
    views: [[inView(View.servers), '3_resources@2']],
  },
  [Command.filterResources]: {
    icon: '$(filter)',
    palette: ContextKey.hasServers,
    rows: [[serversRow(/^(resource(Directory|Folder)$|section\.resources$)/), '5_show@1']],
    views: [[inView(View.servers), '3_resources@1']],
  },
  [Command.clearResourceFilter]: {
    icon: '$(filter-filled)',
    palette: ContextKey.resourcesFiltered,
    views: [[and(inView(View.servers), ContextKey.resourcesFiltered), 'navigation@6']],
  },
  [Command.showResourcesFlat]: {
    palette: and(ContextKey.hasServers, not(ContextKey.resourcesFlat)),
    views: [[and(inView(View.servers), not(ContextKey.resourcesFlat)), '3_resources@3']],
  },
  [Command.showResourcesNested]: {
    palette: ContextKey.resourcesFlat,
    views: [[and(inView(View.servers), ContextKey.resourcesFlat), '3_resources@3']],
  },
  [Command.addRoot]: {
    icon: '$(add)',
    palette: ContextKey.hasServers,
    rows: [
      [serversRow('roots'), 'inline@1'],
      [serversRow(/^(roots|noRoots)$/), '1_roots@1'],
    ],
  },
  [Command.removeRoot]: {
    icon: '$(close)',
    palette: false,
    rows: [
      [serversRow('root.added'), 'inline@1'],
      [serversRow('root.added'), '1_roots@1'],
    ],
  },
  [Command.copyRootPath]: {
    palette: false,
    rows: [[serversRow(/^root\.(added|folder)$/), '3_copy@1']],
  },
  [Command.revealRoot]: { palette: false, rows: [[serversRow('root.folder'), '2_look@1']] },
} satisfies Partial<Record<string, CommandRow>>;
