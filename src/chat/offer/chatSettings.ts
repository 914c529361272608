import { Setting } from '../../ui/ids';
import { readSetting } from '../../ui/settings/readSetting';

/** The limits of an answer, as the user set them. */
export interface ChatLimits {
  readonly maxRounds: number;
  /** If there are more tools than this, the model searches for them instead of being given them all. */
  readonly maxTools: number;
  /** In characters. */
  readonly maxResultLength: number;
}

/** Reads the current limits. */
export function readChatLimits(): ChatLimits {
  return {
    maxRounds: readSetting(Setting.chatMaxRounds),
    maxTools: readSetting(Setting.chatMaxTools),
    maxResultLength: readSetting(Setting.chatMaxResultLength),
  };
}
