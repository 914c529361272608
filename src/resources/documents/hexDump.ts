import { formatBytes } from '../../base/text/text';

const perLine = 16;
const limit = 1_000_000;

/** Returns bytes as lines of text: offset, sixteen bytes in hexadecimal, and the printable ones as characters. */
export function hexDump(bytes: Uint8Array): string {
  const shown = Math.min(bytes.length, limit);
  const lines: string[] = [];
  for (let at = 0; at < shown; at += perLine) {
    const line = bytes.subarray(at, Math.min(at + perLine, shown));
    const hex = Array.from(line, (byte) => byte.toString(16).padStart(2, '0'));
    const left = hex.slice(0, perLine / 2).join(' ');
    const right = hex.slice(perLine / 2).join(' ');
    const text = Array.from(line, printable).join('');
    lines.push(
      `${at.toString(16).padStart(8, '0')}  ${left.padEnd(24)} ${right.padEnd(24)} |${text}|`,
    );
  }
  if (shown < bytes.length) lines.push(`… ${formatBytes(bytes.length - shown)}`);
  return `${lines.join('\n')}\n`;
}

function printable(byte: number): string {
  return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.';
}
