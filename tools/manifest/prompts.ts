import { Command, ContextKey, View } from '../../src/ui/ids';
import { serversRow, inView, leads, offers, or } from './conditions';
import type { CommandRow } from './commandRow';

/** The commands of prompts, the chat, and what servers ask. */
export const promptsCommands = {
  [Command.runPrompt]: {
    icon: '$(play)',
    palette: or(ContextKey.hasServers, ContextKey.hasFiles),
    rows: [[serversRow(/^prompt\./), '1_run@1']],
  },
  [Command.runPromptWith]: {
    palette: ContextKey.hasServers,
    rows: [[serversRow(/^prompt\./), '1_run@2']],
  },
  [Command.promptToChat]: {
    icon: '$(send)',
    palette: offers(Command.promptToChat),
    tabs: [
      [leads(Command.promptToChat), 'navigation@1'],
      [offers(Command.promptToChat), '1_prompt@1'],
    ],
  },
  [Command.promptToChatWithLinks]: {
    icon: '$(send)',
    palette: offers(Command.promptToChatWithLinks),
    tabs: [
      [leads(Command.promptToChatWithLinks), 'navigation@1'],
      [offers(Command.promptToChatWithLinks), '1_prompt@2'],
    ],
  },
  [Command.promptAsMessage]: {
    icon: '$(send)',
    palette: offers(Command.promptAsMessage),
    tabs: [
      [leads(Command.promptAsMessage), 'navigation@1'],
      [offers(Command.promptAsMessage), '1_prompt@2'],
    ],
  },
  [Command.promptToDraft]: {
    icon: '$(edit)',
    palette: offers(Command.promptToDraft),
    tabs: [
      [leads(Command.promptToDraft), 'navigation@1'],
      [offers(Command.promptToDraft), '1_prompt@3'],
    ],
  },
  [Command.promptToCursor]: {
    icon: '$(insert)',
    palette: offers(Command.promptToCursor),
    tabs: [
      [leads(Command.promptToCursor), 'navigation@1'],
      [offers(Command.promptToCursor), '1_prompt@4'],
    ],
  },
  [Command.promptToClipboard]: {
    icon: '$(copy)',
    palette: offers(Command.promptToClipboard),
    tabs: [
      [leads(Command.promptToClipboard), 'navigation@1'],
      [offers(Command.promptToClipboard), '1_prompt@5'],
    ],
  },
  [Command.promptToFile]: {
    icon: '$(save)',
    palette: offers(Command.promptToFile),
    tabs: [
      [leads(Command.promptToFile), 'navigation@1'],
      [offers(Command.promptToFile), '1_prompt@6'],
    ],
  },
  [Command.editPromptArguments]: {
    icon: '$(symbol-parameter)',
    palette: offers(Command.editPromptArguments),
    tabs: [[offers(Command.editPromptArguments), '1_prompt@7']],
  },
  [Command.addPromptsToPalette]: {
    palette: ContextKey.hasServers,
    rows: [[serversRow('section.prompts'), '2_palette@1']],
  },
  [Command.removePromptsFromPalette]: {
    palette: ContextKey.hasServers,
    rows: [[serversRow('section.prompts'), '2_palette@2']],
  },
  [Command.addPromptToPalette]: {
    icon: '$(pin)',
    palette: false,
    rows: [[serversRow(/^prompt\.unlisted/), '2_palette@1']],
  },
  [Command.removePromptFromPalette]: {
    icon: '$(pinned)',
    palette: false,
    rows: [[serversRow(/^prompt\.pinned/), '2_palette@1']],
  },
  [Command.publishPrompt]: {
    palette: ContextKey.hasServers,
    rows: [[serversRow(/^prompt\.[a-z]+$/), '2_palette@2']],
  },
  [Command.withdrawPrompt]: {
    palette: false,
    rows: [[serversRow(/^prompt\..*\.slash$/), '2_palette@2']],
  },
  [Command.copyPromptKeybinding]: {
    icon: '$(keyboard)',
    palette: ContextKey.hasServers,
    rows: [[serversRow(/^prompt\./), '3_copy@1']],
  },
  [Command.manageSampling]: {
    palette: ContextKey.hasServers,
    rows: [[serversRow(/^server\./), '2_look@4']],
  },
  [Command.selectTools]: {
    icon: '$(checklist)',
    palette: or(ContextKey.hasServers, ContextKey.hasFiles),
    rows: [[serversRow('section.tools'), '3_tools@1']],
    views: [[inView(View.servers), '3_tools@1']],
  },
  [Command.switchToolSet]: {
    palette: ContextKey.hasServers,
    rows: [[serversRow('section.tools'), '3_tools@2']],
    views: [[inView(View.servers), '3_tools@1']],
  },
  [Command.showToolResult]: { palette: false },
  [Command.retryRequest]: { palette: false },
  [Command.reviewServers]: { palette: false },
  [Command.showToolApp]: { palette: false },
} satisfies Partial<Record<string, CommandRow>>;
