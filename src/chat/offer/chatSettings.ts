import { Setting } from '../../ui/ids';
import { readSetting } from '../../ui/settings/readSetting';

/** The limits of an answer, as the user set them. */
export interface ChatLimits {
  readonly maxRounds: number;
  /** More tools than this are found by the model instead of shown to it. */
  readonly maxTools: number;
  /** In characters. */
  readonly maxResultLength: number;
}

/** Reads the limits that hold now. */
export function readChatLimits(): ChatLimits {
  return {
    maxRounds: readSetting(Setting.chatMaxRounds),
    maxTools: readSetting(Setting.chatMaxTools),
    maxResultLength: readSetting(Setting.chatMaxResultLength),
  };
}
