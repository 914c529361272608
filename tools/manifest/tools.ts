import { Command, ContextKey, View } from '../../src/ui/ids';
import { serversRow, logRow, trafficRow, inView, and, or, appTab, inputTab } from './conditions';
import type { CommandRow } from './commandRow';

/** The commands of tools: their calls, log, traffic, saved calls and apps. */
export const toolsCommands = {
  [Command.checkServer]: {
    icon: '$(checklist)',
    palette: ContextKey.hasServers,
    rows: [[serversRow(/^server\./), '2_look@3']],
  },
  [Command.runSavedCall]: { palette: false },
  [Command.updateExpectation]: { palette: false },
  [Command.saveAsTest]: {
    icon: '$(beaker)',
    palette: ContextKey.hasServers,
    rows: [
      [trafficRow(/^traffic\.sent\.request\.call/), '2_send@3'],
      [logRow(/^loggedCall$/), '1_run@2'],
    ],
  },
  [Command.runToolAgain]: {
    palette: and(inputTab, String.raw`resourceFilename =~ /\.call\.json$/`),
  },
  [Command.runToolAgainWith]: {
    palette: and(inputTab, String.raw`resourceFilename =~ /\.call\.json$/`),
  },
  [Command.showCallOfResult]: { palette: false },
  [Command.runTool]: {
    icon: '$(play)',
    palette: or(ContextKey.hasServers, ContextKey.hasFiles),
    rows: [
      [serversRow('tool'), 'inline@1'],
      [serversRow('tool'), '1_run@1'],
    ],
  },
  [Command.showRunningTools]: { palette: ContextKey.hasServers },
  [Command.showTaskResult]: {
    icon: '$(open-preview)',
    palette: false,
    rows: [[serversRow(/^task\.(over|listed)$/), '1_task@1']],
  },
  [Command.cancelTask]: {
    icon: '$(debug-stop)',
    palette: false,
    rows: [
      [serversRow(/^task\.(running|listed)$/), 'inline@1'],
      [serversRow(/^task\.(running|listed)$/), '1_task@2'],
    ],
  },
  [Command.showTask]: {
    palette: false,
    rows: [[serversRow(/^task\./), '2_look@1']],
  },
  [Command.refreshTasks]: {
    icon: '$(refresh)',
    palette: false,
    rows: [
      [serversRow('section.tasks'), 'inline@1'],
      [serversRow('section.tasks'), '6_refresh@1'],
    ],
  },
  [Command.clearTasks]: {
    icon: '$(clear-all)',
    palette: false,
    rows: [
      [serversRow(/^(section\.)?tasks$/), 'inline@2'],
      [serversRow(/^(section\.)?tasks$/), '6_refresh@2'],
    ],
  },
  [Command.showToolDefinition]: {
    icon: '$(open-preview)',
    palette: false,
    rows: [
      [serversRow('tool'), 'inline@2'],
      [serversRow('tool'), '2_look@1'],
    ],
  },
  [Command.runToolOnSelection]: {
    enablement: and('editorHasSelection', ContextKey.hasServers),
    palette: ContextKey.hasServers,
    rows: [[serversRow('tool'), '1_run@2']],
    texts: [[and('editorHasSelection', ContextKey.hasServers), '1_modification@9']],
  },
  [Command.manageToolApprovals]: {
    rows: [
      [serversRow('section.tools'), '3_tools@3'],
      [serversRow('tool'), '3_tools@1'],
    ],
    views: [[inView(View.servers), '3_tools@2']],
  },
  [Command.showToolLog]: {
    icon: '$(history)',
    rows: [[serversRow('section.tools'), '3_tools@4']],
    views: [[inView(View.servers), '3_tools@3']],
  },
  [Command.filterToolLog]: {
    icon: '$(filter)',
    palette: ContextKey.toolLogShown,
    views: [[inView(View.toolLog), 'navigation@1']],
  },
  [Command.showStatistics]: {
    icon: '$(graph)',
    palette: ContextKey.hasServers,
    views: [[inView(View.toolLog), 'navigation@2']],
  },
  [Command.exportToolLog]: {
    icon: '$(export)',
    palette: ContextKey.toolLogShown,
    views: [[inView(View.toolLog), 'navigation@3']],
  },
  [Command.showTraffic]: {
    icon: '$(arrow-swap)',
    palette: ContextKey.hasServers,
    rows: [
      [serversRow(/^server\./), '2_look@4'],
      [serversRow(/^agent(Connection)?$/), '2_look@1'],
    ],
  },
  [Command.filterTraffic]: {
    icon: '$(filter)',
    palette: ContextKey.trafficShown,
    views: [[inView(View.traffic), 'navigation@1']],
  },
  [Command.exportTraffic]: {
    icon: '$(export)',
    palette: ContextKey.trafficShown,
    views: [[inView(View.traffic), 'navigation@2']],
  },
  [Command.saveRecording]: {
    icon: '$(record)',
    palette: ContextKey.trafficShown,
    views: [[inView(View.traffic), 'navigation@3']],
  },
  [Command.clearTraffic]: {
    icon: '$(clear-all)',
    palette: ContextKey.trafficShown,
    views: [[inView(View.traffic), 'navigation@4']],
  },
  [Command.showTrafficEntry]: {
    icon: '$(go-to-file)',
    palette: false,
    rows: [[trafficRow(/^traffic\./), '1_look@1']],
  },
  [Command.copyTrafficEntry]: {
    icon: '$(copy)',
    palette: false,
    rows: [
      [trafficRow(/^traffic\./), 'inline@1'],
      [trafficRow(/^traffic\./), '3_copy@0'],
    ],
    keys: [
      {
        key: 'ctrl+c',
        mac: 'cmd+c',
        when: and(`focusedView == ${View.traffic}`, 'listFocus', '!inputFocus'),
      },
    ],
  },
  [Command.pinTraffic]: {
    icon: '$(pin)',
    palette: false,
    rows: [
      [trafficRow(/^traffic\.(?!.*\.pinned$)/), 'inline@2'],
      [trafficRow(/^traffic\.(?!.*\.pinned$)/), '9_pin@1'],
    ],
  },
  [Command.unpinTraffic]: {
    icon: '$(pinned)',
    palette: false,
    rows: [
      [trafficRow(/\.pinned$/), 'inline@2'],
      [trafficRow(/\.pinned$/), '9_pin@1'],
    ],
  },
  [Command.replayRequest]: {
    icon: '$(debug-rerun)',
    palette: false,
    rows: [[trafficRow(/^traffic\.sent\.(request|notification)/), '2_send@1']],
  },
  [Command.editRequest]: {
    icon: '$(edit)',
    palette: false,
    rows: [[trafficRow(/^traffic\.sent\.(request|notification)/), '2_send@2']],
  },
  [Command.sendRequest]: {
    icon: '$(send)',
    palette: ContextKey.hasServers,
    views: [[inView(View.traffic), 'navigation@3']],
  },
  [Command.nextPage]: {
    icon: '$(arrow-right)',
    palette: false,
    rows: [[trafficRow(/^traffic\.sent\.request\..*paged/), '2_send@4']],
  },
  [Command.copyAsCurl]: {
    icon: '$(copy)',
    palette: false,
    rows: [
      [trafficRow(/^traffic\.sent\.(request|notification)\..*http/, '!isWindows'), '3_copy@1'],
      [trafficRow(/^traffic\.sent\.(request|notification)\..*http/, 'isWindows'), '3_copy@2'],
    ],
  },
  [Command.copyAsPowerShell]: {
    icon: '$(copy)',
    palette: false,
    rows: [
      [trafficRow(/^traffic\.sent\.(request|notification)\..*http/, '!isWindows'), '3_copy@2'],
      [trafficRow(/^traffic\.sent\.(request|notification)\..*http/, 'isWindows'), '3_copy@1'],
    ],
  },
  [Command.showLogEntry]: {
    icon: '$(go-to-file)',
    palette: false,
    rows: [[logRow(/^logged/), '1_log@1']],
  },
  [Command.replayToolCall]: {
    icon: '$(debug-rerun)',
    palette: false,
    rows: [
      [logRow('loggedCall'), 'inline@1'],
      [logRow('loggedCall'), '1_log@2'],
    ],
  },
  [Command.reloadApp]: { icon: '$(refresh)', palette: appTab, tabs: [[appTab, 'navigation@1']] },
  [Command.stopApp]: { icon: '$(debug-stop)', palette: appTab, tabs: [[appTab, 'navigation@2']] },
  [Command.showAppTraffic]: { palette: false, tabs: [[appTab, '1_app@3']] },
  [Command.showAppSource]: { icon: '$(code)', palette: appTab, tabs: [[appTab, '1_app@1']] },
  [Command.openAppTools]: { palette: appTab, tabs: [[appTab, '1_app@2']] },
  [Command.forgetApps]: { palette: ContextKey.hasServers },
} satisfies Partial<Record<string, CommandRow>>;
