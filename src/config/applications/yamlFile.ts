import type { Document } from 'yaml';

/** Applies a change to a YAML text and keeps the comments; rejects if the text cannot be read. */
export async function changeYaml(
  text: string,
  change: (document: Document.Parsed) => void,
): Promise<string> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) throw error;
  change(document);
  return document.toString({ lineWidth: 0 });
}
