import { claudeCode, claudeDesktop, copilotCli, geminiCli, goose } from './agents/agents';
import { codex } from './agents/codex';
import type { Application } from './application';
import { cline, continueDev, cursor, rooCode, windsurf, zed } from './editors/editors';
import { vscodeUser } from './editors/vscode';

/** All applications that servers can be imported from and exported to. */
export const applications: readonly Application[] = [
  vscodeUser,
  claudeDesktop,
  claudeCode,
  copilotCli,
  cursor,
  windsurf,
  cline,
  rooCode,
  continueDev,
  zed,
  geminiCli,
  codex,
  goose,
];
