import * as vscode from 'vscode';
import { Setting } from '../../ui/ids';

/** The limits of an answer, as the person set them. */
export interface ChatLimits {
  readonly maxRounds: number;
  /** More tools than this are found by the model instead of shown to it. */
  readonly maxTools: number;
  /** In characters. */
  readonly maxResultLength: number;
}

/** Reads the limits that hold now. */
export function readChatLimits(): ChatLimits {
  const settings = vscode.workspace.getConfiguration();
  return {
    maxRounds: settings.get(Setting.chatMaxRounds, 25),
    maxTools: settings.get(Setting.chatMaxTools, 64),
    maxResultLength: settings.get(Setting.chatMaxResultLength, 50_000),
  };
}
