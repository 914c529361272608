import { asRecord } from '../../base/json';
import { debugTypes, type DebugType } from '../serverConfig';

/** Reads from an entry, as VS Code writes it, which debugger to attach; `undefined` if none, or an unknown one. */
export function readDebugType(entry: unknown): DebugType | undefined {
  const { debug } = asRecord(asRecord(entry)['dev']);
  const { type } = asRecord(debug);
  return debugTypes.find((one) => one === type);
}
