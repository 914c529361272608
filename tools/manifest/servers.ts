import { Command, ContextKey, View } from '../../src/ui/ids';
import {
  serversRow,
  severalRows,
  inView,
  leads,
  offers,
  among,
  notAmong,
  and,
  not,
  recordingFile,
  reportTab,
} from './conditions';
import type { CommandRow } from './commandRow';

/** The commands of servers, their configuration, agents, and questions. */
export const serversCommands = {
  [Command.startServer]: {
    icon: '$(play)',
    palette: ContextKey.hasServers,
    rows: [
      [serversRow(/^server\.(stopped|failed)/), 'inline@1'],
      [severalRows(/^server\.(stopped|failed|needsSignIn)/), '1_state@1'],
    ],
  },
  [Command.startAllServers]: {
    icon: '$(run-all)',
    palette: ContextKey.hasServers,
    views: [[and(inView(View.servers), ContextKey.hasServers), 'navigation@2']],
  },
  [Command.stopServer]: {
    icon: '$(debug-stop)',
    palette: ContextKey.hasStarted,
    rows: [
      [serversRow(/^server\.(starting|running|reconnecting)/), 'inline@1'],
      [severalRows(/^server\.(starting|running|reconnecting)/), '1_state@1'],
    ],
  },
  [Command.restartServer]: {
    icon: '$(debug-restart)',
    palette: ContextKey.hasStarted,
    rows: [
      [serversRow(/^server\.(running|reconnecting)/), 'inline@2'],
      [severalRows(/^server\.(running|reconnecting)/), '1_state@2'],
    ],
  },
  [Command.signIn]: {
    icon: '$(key)',
    palette: ContextKey.hasServers,
    rows: [
      [serversRow(/^server\.needsSignIn/), 'inline@1'],
      [serversRow(/^server\.needsSignIn/), '1_state@3'],
    ],
  },
  [Command.signOut]: {
    icon: '$(sign-out)',
    palette: ContextKey.hasServers,
    rows: [[serversRow(/^server\..*\.signedIn$/), '1_state@3']],
  },
  [Command.turnOnDevelopment]: {
    palette: ContextKey.hasServers,
    rows: [[serversRow(/^server\.(?!.*\.(dev|unwritten)\b)/), '8_development@1']],
  },
  [Command.turnOffDevelopment]: {
    palette: ContextKey.hasServers,
    rows: [[serversRow(/^server\..*\.dev\b/), '8_development@1']],
  },
  [Command.turnOnDebugging]: {
    palette: ContextKey.hasServers,
    rows: [[serversRow(/^server\..*\.debuggable\b/), '8_development@2']],
  },
  [Command.restartAndCompare]: {
    icon: '$(debug-restart)',
    palette: ContextKey.hasServers,
    rows: [[serversRow(/^server\.running/), '1_state@4']],
  },
  [Command.showServerChanges]: {
    icon: '$(diff)',
    palette: false,
    rows: [
      [serversRow('serverChanges'), 'inline@1'],
      [serversRow('serverChanges'), '2_look@1'],
    ],
  },
  [Command.compareServer]: {
    palette: ContextKey.hasServers,
    rows: [
      [serversRow(/^server\.running/), '8_development@3'],
      [serversRow('serverChanges'), '2_look@2'],
    ],
  },
  [Command.dismissServerChanges]: {
    icon: '$(close)',
    palette: false,
    rows: [
      [serversRow('serverChanges'), 'inline@2'],
      [serversRow('serverChanges'), '2_look@3'],
    ],
  },
  [Command.diagnoseServer]: {
    icon: '$(pulse)',
    palette: ContextKey.hasServers,
    rows: [[serversRow(/^server\./), '2_look@2']],
  },
  [Command.copyReport]: {
    icon: '$(copy)',
    palette: reportTab,
    tabs: [[reportTab, 'navigation@1']],
  },
  [Command.copyInstallLink]: {
    palette: ContextKey.hasServers,
    rows: [[serversRow(/^server\./), '3_copy@1']],
  },
  [Command.copyConfiguration]: {
    palette: ContextKey.hasServers,
    rows: [[serversRow(/^server\./), '3_copy@2']],
  },
  [Command.disableServer]: {
    palette: ContextKey.hasServers,
    rows: [[severalRows(/^server\./), '9_switch@1']],
  },
  [Command.removeServer]: {
    palette: ContextKey.hasServers,
    rows: [
      [
        severalRows(/^(server\.(?!.*\.unwritten)|disabledServer|problem\.server$|duplicate$)/),
        '9_switch@2',
      ],
    ],
  },
  [Command.checkForUpdates]: {
    palette: ContextKey.hasServers,
    rows: [[serversRow(/^server\..*\.registry\b/), '5_registry@1']],
  },
  [Command.updateServer]: {
    icon: '$(cloud-download)',
    palette: ContextKey.hasServers,
    rows: [
      [serversRow('serverUpdate'), 'inline@1'],
      [serversRow(/^(server\..*\.update\b|serverUpdate$)/), '5_registry@2'],
    ],
  },
  [Command.enableServer]: {
    icon: '$(check)',
    rows: [
      [serversRow('disabledServer.user'), 'inline@1'],
      [serversRow('disabledServer.user'), '9_switch@1'],
    ],
  },
  [Command.showServerLog]: {
    icon: '$(output)',
    palette: ContextKey.hasServers,
    rows: [
      [serversRow(/^server\./), 'inline@3'],
      [serversRow(/^server\./), '2_look@1'],
    ],
  },
  [Command.setLogLevel]: {
    palette: ContextKey.hasStarted,
    rows: [[serversRow(/^server\..*\.logging\b/), '2_look@4']],
  },
  [Command.openConfiguration]: {
    icon: '$(go-to-file)',
    palette: ContextKey.hasServers,
    rows: [
      [serversRow(/^(server\.|problem|duplicate$|disabledServer)/), 'inline@4'],
      [serversRow(/^(server\.|problem|duplicate$|disabledServer)/), '2_look@3'],
    ],
  },
  [Command.showQuestions]: { palette: ContextKey.hasServers },
  [Command.acceptQuestion]: {
    palette: false,
    keys: [
      { key: 'enter', when: and('inQuickInput', 'mcpWorkbench.question == decision') },
      { key: 'shift+enter', when: and('inQuickInput', 'mcpWorkbench.question == decision') },
      {
        key: 'ctrl+enter',
        mac: 'cmd+enter',
        when: and('inQuickInput', 'mcpWorkbench.question == decision'),
      },
      { key: 'alt+enter', when: and('inQuickInput', 'mcpWorkbench.question == decision') },
    ],
  },
  [Command.leaveQuestion]: {
    palette: false,
    keys: [
      { key: 'escape', when: and('inQuickInput', ContextKey.question) },
      { key: 'shift+escape', when: and('inQuickInput', ContextKey.question) },
    ],
  },
  [Command.cancelFilter]: {
    palette: false,
    keys: [
      { key: 'escape', when: and('inQuickInput', ContextKey.filtering) },
      { key: 'shift+escape', when: and('inQuickInput', ContextKey.filtering) },
    ],
  },
  [Command.answerDocument]: {
    icon: '$(check)',
    palette: and(among(ContextKey.askedDocuments), notAmong(ContextKey.titledDocuments)),
    tabs: [
      [and(among(ContextKey.askedDocuments), notAmong(ContextKey.titledDocuments)), 'navigation@1'],
    ],
    keys: [
      {
        key: 'ctrl+enter',
        mac: 'cmd+enter',
        when: and('editorTextFocus', among(ContextKey.askedDocuments)),
      },
    ],
  },
  [Command.otherChoices]: {
    palette: among(ContextKey.choiceDocuments),
    tabs: [[among(ContextKey.choiceDocuments), '1_choices@1']],
  },
  [Command.trustAndStart]: {
    icon: '$(shield)',
    palette: offers(Command.trustAndStart),
    tabs: [[leads(Command.trustAndStart), 'navigation@1']],
  },
  [Command.backToQuestion]: {
    icon: '$(check)',
    palette: offers(Command.backToQuestion),
    tabs: [[leads(Command.backToQuestion), 'navigation@1']],
  },
  [Command.useText]: {
    icon: '$(check)',
    palette: offers(Command.useText),
    tabs: [[leads(Command.useText), 'navigation@1']],
  },
  [Command.useArguments]: {
    icon: '$(check)',
    palette: offers(Command.useArguments),
    tabs: [[leads(Command.useArguments), 'navigation@1']],
  },
  [Command.runEdited]: {
    icon: '$(play)',
    palette: offers(Command.runEdited),
    tabs: [[leads(Command.runEdited), 'navigation@1']],
  },
  [Command.allowEdited]: {
    icon: '$(check)',
    palette: offers(Command.allowEdited),
    tabs: [[leads(Command.allowEdited), 'navigation@1']],
  },
  [Command.sendReviewed]: {
    icon: '$(send)',
    palette: offers(Command.sendReviewed),
    tabs: [[leads(Command.sendReviewed), 'navigation@1']],
  },
  [Command.returnReviewed]: {
    icon: '$(check)',
    palette: offers(Command.returnReviewed),
    tabs: [[leads(Command.returnReviewed), 'navigation@1']],
  },
  [Command.withdrawApproval]: {
    icon: '$(trash)',
    palette: offers(Command.withdrawApproval),
    tabs: [[leads(Command.withdrawApproval), 'navigation@1']],
  },
  [Command.addServer]: { icon: '$(add)', views: [[inView(View.servers), 'navigation@1']] },
  [Command.importServers]: {
    icon: '$(cloud-download)',
    views: [[inView(View.servers), '1_servers@1']],
  },
  [Command.exportServers]: {
    icon: '$(cloud-upload)',
    palette: ContextKey.hasServers,
    views: [[inView(View.servers), '1_servers@2']],
  },
  [Command.exportForTeam]: {
    palette: ContextKey.hasServers,
    views: [[inView(View.servers), '1_servers@3']],
  },
  [Command.tryDemo]: { icon: '$(rocket)' },
  [Command.removeDemo]: {
    palette: false,
    rows: [[serversRow(/^server\..*\.unwritten\.demo\b/), '5_demo@1']],
  },
  [Command.serveRecording]: {
    icon: '$(broadcast)',
    tabs: [[recordingFile, 'navigation@1']],
    files: [[recordingFile, '5_recording@1']],
  },
  [Command.removeRecording]: {
    palette: false,
    rows: [[serversRow(/^server\..*\.unwritten\.recording\b/), '5_demo@1']],
  },
  [Command.openWalkthrough]: { views: [[inView(View.servers), '4_help@1']] },
  [Command.showPolicies]: {},
  [Command.changeTraceHeaders]: {},
  [Command.manageTrust]: { icon: '$(shield)', views: [[inView(View.servers), '1_servers@4']] },
  [Command.changeInputs]: {
    palette: ContextKey.hasServers,
    rows: [[serversRow(/^server\..*\.inputs\b/), '2_look@6']],
  },
  [Command.clearInputs]: { icon: '$(clear-all)', views: [[inView(View.servers), '1_servers@5']] },
  [Command.showMoreRows]: { palette: false },
  [Command.moveToSettings]: { palette: false },
  [Command.moveDevelopment]: { palette: false },
  [Command.clickRow]: { palette: false },
  [Command.connectAgent]: {
    icon: '$(plug)',
    palette: and(ContextKey.active, not(ContextKey.pageOnly)),
    rows: [
      [serversRow('agents'), 'inline@1'],
      [serversRow('agents'), '1_agents@1'],
    ],
    views: [[and(inView(View.servers), not(ContextKey.pageOnly)), '1_servers@2']],
  },
  [Command.selectAgentTools]: {
    icon: '$(checklist)',
    palette: and(ContextKey.active, not(ContextKey.pageOnly)),
    rows: [
      [serversRow('agent'), 'inline@1'],
      [serversRow('agent'), '1_agents@1'],
    ],
  },
  [Command.forgetAgent]: {
    palette: and(ContextKey.active, not(ContextKey.pageOnly)),
    rows: [[serversRow('agent'), '9_agents@1']],
  },
  [Command.disconnectAgent]: {
    palette: and(ContextKey.active, not(ContextKey.pageOnly)),
    rows: [[serversRow('agent'), '9_agents@2']],
  },
} satisfies Partial<Record<string, CommandRow>>;
