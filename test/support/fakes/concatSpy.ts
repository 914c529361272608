/** Counts the bytes that `Buffer.concat` copies until it is stopped. */
export function spyOnConcat() {
  const original = Buffer.concat.bind(Buffer);
  let copied = 0;
  let largest = 0;
  Buffer.concat = (list, length) => {
    const result = original(list, length);
    copied += result.length;
    largest = Math.max(largest, result.length);
    return result;
  };
  return {
    /** Restores `Buffer.concat`; returns the bytes that it copied in total and in its largest call. */
    stop() {
      Buffer.concat = original;
      return { copied, largest };
    },
  };
}
