/* The UTF-8 bytes of characters that structure JSON and lines. */

export const lineFeed = 0x0a;
export const carriageReturn = 0x0d;
export const space = 0x20;
export const quote = 0x22;
export const colon = 0x3a;
export const backslash = 0x5c;
