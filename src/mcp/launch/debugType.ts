import { asRecord } from '../../base/json';
import { debugTypes, type DebugType } from '../serverConfig';

/** The debugger that an entry wants attached, as VS Code writes it; nothing where it is none that we know. */
export function readDebugType(entry: unknown): DebugType | undefined {
  const { debug } = asRecord(asRecord(entry)['dev']);
  const { type } = asRecord(debug);
  return debugTypes.find((one) => one === type);
}
