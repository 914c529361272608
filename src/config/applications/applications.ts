import { claudeCode } from './agents/claudeCode';
import { claudeDesktop } from './agents/claudeDesktop';
import { codex } from './agents/codex';
import { copilotCli } from './agents/copilotCli';
import { geminiCli } from './agents/geminiCli';
import { goose } from './agents/goose';
import type { Application } from './application';
import { cline } from './editors/cline';
import { continueDev } from './editors/continueDev';
import { cursor } from './editors/cursor';
import { rooCode } from './editors/rooCode';
import { vscodeUser } from './editors/vscode';
import { windsurf } from './editors/windsurf';
import { zed } from './editors/zed';

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
