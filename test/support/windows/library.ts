/** Where the only section of a library is, in its file and in the memory that it is loaded to. */
const inFile = 0x200;
const inMemory = 0x1000;
const characteristics = { image64: 0x2022, readOnlyData: 0x40000040 };

/** Writes numbers one after another, each given with how many bytes it takes. */
function numbers(...all: readonly (readonly [value: number, bytes: 2 | 4 | 8])[]): Buffer {
  return Buffer.concat(
    all.map(([value, bytes]) => {
      const one = Buffer.alloc(bytes);
      one.writeUIntLE(value, 0, Math.min(bytes, 6));
      return one;
    }),
  );
}

/**
 * Returns a library of Windows, for x64, whose only function is one of another library under another name, such as
 * `ADVAPI32.SystemFunction036`: nothing of it needs a compiler. The format is Microsoft's _PE Format_.
 */
export function forwardingLibrary(file: string, functionName: string, other: string): Buffer {
  const tablesLength = 50;
  const texts = [file, functionName, other].map((text) => Buffer.from(`${text}\0`, 'latin1'));
  const [fileAt = 0, nameAt = 0, otherAt = 0] = texts.map(
    (_, index) => inMemory + tablesLength + Buffer.concat(texts.slice(0, index)).length,
  );
  const exported = Buffer.concat([
    numbers([0, 8], [0, 4], [fileAt, 4], [1, 4], [1, 4], [1, 4]),
    // Where the three tables are: what a function is, what it is called, and which of them that name means.
    numbers([inMemory + 40, 4], [inMemory + 44, 4], [inMemory + 48, 4]),
    numbers([otherAt, 4], [nameAt, 4], [0, 2]),
    ...texts,
  ]);
  const dos = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(0x3a), numbers([0x40, 4])]);
  const header = numbers(
    [0x8664, 2],
    [1, 2],
    [0, 8],
    [0, 4],
    [0xf0, 2],
    [characteristics.image64, 2],
  );
  const optional = Buffer.concat([
    numbers([0x20b, 2], [0, 2], [0, 4], [inFile, 4], [0, 4], [0, 8], [0x180000000, 8]),
    numbers([inMemory, 4], [inFile, 4], [6, 2], [0, 2], [0, 4], [6, 2], [0, 2], [0, 4]),
    numbers([2 * inMemory, 4], [inFile, 4], [0, 4], [2, 2], [0x100, 2]),
    numbers([0x100000, 8], [0x1000, 8], [0x100000, 8], [0x1000, 8], [0, 4], [16, 4]),
    numbers([inMemory, 4], [exported.length, 4]),
    // The other fifteen directories, which are empty.
    Buffer.alloc(15 * 8),
  ]);
  const section = Buffer.concat([
    Buffer.from('.edata\0\0'),
    numbers([exported.length, 4], [inMemory, 4], [inFile, 4], [inFile, 4], [0, 8], [0, 4]),
    numbers([characteristics.readOnlyData, 4]),
  ]);
  const headers = Buffer.concat([dos, Buffer.from('PE\0\0'), header, optional, section]);
  const padded = (part: Buffer) => Buffer.concat([part, Buffer.alloc(inFile - part.length)]);
  return Buffer.concat([padded(headers), padded(exported)]);
}
