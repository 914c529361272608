import { claudeCode } from './claudeCode';
import { claudeDesktop } from './claudeDesktop';
import { cline } from './cline';
import { codex } from './codex';
import { continueDev } from './continueDev';
import { cursor } from './cursor';
import { geminiCli } from './geminiCli';
import { goose } from './goose';
import type { ImportSource } from './importSource';
import { rooCode } from './rooCode';
import { vscodeUser } from './vscode';
import { windsurf } from './windsurf';
import { zed } from './zed';

/** All applications that servers can be imported from. */
export const importSources: readonly ImportSource[] = [
  vscodeUser,
  claudeDesktop,
  claudeCode,
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
